import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { DEFAULT_STUDIO_PORT, startStudioServer } from '../studio/server.js';
import { interruptCode } from '../terminal/interrupt.js';
import { printJson } from '../terminal/json.js';
import { wholeNumber } from '../terminal/option-values.js';
import type { CommandDefinition } from './command.js';

const builtPage = fileURLToPath(new URL('../../../studio/dist/', import.meta.url));

export const studioCommand: CommandDefinition<[], { port?: number; host?: string }> = {
  usage: 'studio',
  summary: 'serve the studio page on this machine',
  examples: ['palpable studio', 'palpable studio --port 8080'],
  options: (command) =>
    command
      .option(
        '--port <number>',
        `port to listen on (default: ${DEFAULT_STUDIO_PORT}, or a free one if that is taken)`,
        wholeNumber(0, 65535),
      )
      .option('--host <address>', 'address to listen on (default: 127.0.0.1, this machine only)'),
  async run({ stdout, json, interrupt }, { port, host }) {
    const signal = interrupt();
    const server = await startStudioServer({
      root: builtPage,
      ...(port === undefined ? {} : { port }),
      ...(host === undefined ? {} : { host }),
    });
    if (json) printJson({ url: server.url, host: server.host, port: server.port }, stdout);
    else stdout.write(`Palpable studio: ${server.url}\nCtrl-C ends it.\n`);
    if (!signal.aborted) await once(signal, 'abort');
    await server.close();
    return interruptCode();
  },
};
