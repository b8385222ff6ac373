import { svelte } from '@sveltejs/vite-plugin-svelte';
import tailwindcss from '@tailwindcss/vite';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

/** During development, `npm run dev -w packages/console` serves the pages and asks the service of this address for the rest. */
const service = process.env['STORE_API_URL'] ?? 'http://127.0.0.1:3000';

export default defineConfig({
  base: '/console/',
  plugins: [tailwindcss(), svelte()],
  // The sources, so that the pages are built without building the package first.
  resolve: { alias: { '@store-service/sdk': fileURLToPath(new URL('../sdk/src/index.ts', import.meta.url)) } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // Says which file loads which: a test sums up what each screen takes.
    manifest: true,
    target: 'es2022',
    // The policy of the pages allows no data: script, and a picture is fetched once anyway.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: { checks: { pluginTimings: false } },
  },
  server: { proxy: { '/api': service, '/uploads': service, '/schemas': service, '/health': service } },
});
