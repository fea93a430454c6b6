import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { defineConfig, type Plugin } from 'vite';

/** Shared memory and a fine clock need an isolated page; `palpable studio` sends the same headers. */
const isolationHeaders = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

/** The CAD kernel goes beside the page as it is, so the terms it is given under go with it. */
function kernelLicences(): Plugin {
  const { resolve } = createRequire(import.meta.url);
  return {
    name: 'kernel-licences',
    apply: 'build',
    generateBundle() {
      for (const name of ['license.occt-import-js.txt', 'license.occt.txt']) {
        const source = readFileSync(resolve(`occt-import-js/dist/${name}`));
        this.emitFile({ type: 'asset', fileName: `app/${name}`, source });
      }
    },
  };
}

export default defineConfig({
  // Relative addresses, so that the built page can be put into any folder of any static host.
  base: './',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  plugins: [kernelLicences()],
  build: {
    target: 'es2022',
    // Not "assets": that folder holds the prepared bodies, whose names carry no hash.
    assetsDir: 'app',
    sourcemap: false,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 900,
    rollupOptions: { input: ['index.html', 'bench.html'] },
  },
  worker: { format: 'es' },
  server: { headers: isolationHeaders },
  preview: { headers: isolationHeaders },
});
