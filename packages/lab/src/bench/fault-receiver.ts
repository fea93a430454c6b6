/*
 * A strict stand-in for a VRPN force device, in a process of its own: it says where a hand is that presses into a plate
 * and moves a little, takes what is pushed, and judges it. Started by `startReceiver`, which also says what it understands.
 */
import { createServer, type Socket } from 'node:net';
import { ConnectionJudge, type ConnectionReport, type JudgeLimits } from './fault-judge.js';
import { wallMs, watchLateness } from './lateness.js';

export interface ReceiverOptions {
  readonly name: string;
  /** 0 for any that is free. */
  readonly port: number;
  readonly limits: JudgeLimits;
  /** Where the hand presses, in the device's frame, and how far it moves about that place, m. */
  readonly z: number;
  readonly amplitude: number;
}

export type ReceiverRequest =
  | { readonly kind: 'start'; readonly options: ReceiverOptions }
  | { readonly kind: 'report' }
  /** Forget what was found so far, and connections that are over. */
  | { readonly kind: 'reset' }
  /** Break the connection off. */
  | { readonly kind: 'drop' }
  /** Say nothing more about the hand, or speak again. */
  | { readonly kind: 'silence'; readonly silent: boolean };

export interface ReceiverReport {
  readonly port: number;
  readonly connections: readonly ConnectionReport[];
}

/** Other numbers than anybody else's, so that nobody can take them for granted. */
const SENDER = 7;
const TYPE_IDS = { 'vrpn_Tracker Pos_Quat': 31, 'vrpn_Base pong_message': 12, 'vrpn_Base ping_message': 5 } as const;
const POSE_EVERY_MS = 1;

const judges: ConnectionJudge[] = [];
const control = watchLateness(() => {
  for (const judge of judges) judge.tick(wallMs());
});
let options: ReceiverOptions;
let port = 0;
let silent = false;
let current: Socket | null = null;

process.on('message', async (request: ReceiverRequest) => {
  if (request.kind === 'start') await start(request.options);
  else if (request.kind === 'reset') reset();
  else if (request.kind === 'silence') silent = request.silent;
  else if (request.kind === 'drop') current?.destroy();
  const report: ReceiverReport = { port, connections: judges.map((judge) => judge.report()) };
  process.send!(report);
});
// Whoever started us has gone.
process.on('disconnect', () => process.exit());

function reset(): void {
  judges.splice(0, judges.length, ...judges.filter((judge) => judge.report().closedAt === null));
  for (const judge of judges) judge.reset();
}

function start(given: ReceiverOptions): Promise<void> {
  options = given;
  const server = createServer((socket) => receive(socket));
  return new Promise((resolve, reject) => {
    server.on('error', reject);
    server.listen(options.port, '127.0.0.1', () => {
      port = (server.address() as { port: number }).port;
      resolve();
    });
  });
}

function receive(socket: Socket): void {
  let sequence = 0;
  const send = (sender: number, type: number, payload: Buffer) => {
    sequence += 1;
    if (socket.writable) socket.write(encode(sender, type, sequence, payload));
  };
  const pong = () => send(SENDER, TYPE_IDS['vrpn_Base pong_message'], Buffer.alloc(0));
  const judge = new ConnectionJudge(options.limits, wallMs(), control.between, pong);
  judges.push(judge);
  current = socket;
  socket.setNoDelay(true);
  socket.write(Buffer.from('vrpn: ver. 07.38  0'.padEnd(24, '\0'), 'latin1'));
  send(SENDER, -1, nameOf(options.name));
  for (const [name, id] of Object.entries(TYPE_IDS)) send(id, -2, nameOf(name));
  const poses = setInterval(() => {
    if (!silent) send(SENDER, TYPE_IDS['vrpn_Tracker Pos_Quat'], poseAt(performance.now() / 1000));
  }, POSE_EVERY_MS);
  let hungUp = false;
  socket.on('data', (chunk) => judge.push(chunk, wallMs()));
  socket.on('end', () => {
    hungUp = true;
    judge.close(wallMs(), 'peer');
  });
  socket.on('error', () => {
    hungUp = true;
  });
  socket.on('close', () => {
    clearInterval(poses);
    judge.close(wallMs(), hungUp ? 'peer' : 'receiver');
    if (current === socket) current = null;
  });
}

/** Moves along no line twice, so that no two forces are the same. */
function poseAt(seconds: number): Buffer {
  const payload = Buffer.alloc(64);
  const place = [2.3, 3.1, 1.7].map((hertz) => options.amplitude * Math.sin(2 * Math.PI * hertz * seconds));
  place[2]! += options.z;
  for (const [k, value] of [...place, 0, 0, 0, 1].entries()) payload.writeDoubleBE(value, 8 + 8 * k);
  return payload;
}

function nameOf(text: string): Buffer {
  const payload = Buffer.alloc(4 + text.length + 1);
  payload.writeUInt32BE(text.length + 1);
  payload.write(text, 4, 'latin1');
  return payload;
}

function encode(sender: number, type: number, sequence: number, payload: Buffer): Buffer {
  const size = 24 + payload.length;
  const bytes = Buffer.alloc(Math.ceil(size / 8) * 8);
  const micros = Math.round(1000 * wallMs());
  bytes.writeUInt32BE(size, 0);
  bytes.writeUInt32BE(Math.floor(micros / 1e6), 4);
  bytes.writeUInt32BE(micros % 1e6, 8);
  bytes.writeInt32BE(sender, 12);
  bytes.writeInt32BE(type, 16);
  bytes.writeUInt32BE(sequence, 20);
  payload.copy(bytes, 24);
  return bytes;
}
