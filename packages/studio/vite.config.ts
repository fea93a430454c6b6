import { defineConfig } from 'vite';

/** Shared memory and a fine clock need an isolated page; `palpable studio` sends the same headers. */
const isolationHeaders = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

export default defineConfig({
  // Relative addresses, so that the built page can be put into any folder of any static host.
  base: './',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2022',
    // Not "assets": that folder holds the prepared bodies, whose names carry no hash.
    assetsDir: 'app',
    sourcemap: false,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 800,
    rollupOptions: { input: ['index.html', 'bench.html'] },
  },
  worker: { format: 'es' },
  server: { headers: isolationHeaders },
  preview: { headers: isolationHeaders },
});
