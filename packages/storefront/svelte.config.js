import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import adapter from '@sveltejs/adapter-node';
import { vitePreprocess } from '@sveltejs/vite-plugin-svelte';

/** In the repository of the service the pages are built from the sources of the SDK; a copy has the package. */
const sdk = fileURLToPath(new URL('../sdk/src/index.ts', import.meta.url));

export default {
  preprocess: vitePreprocess(),
  compilerOptions: { runes: true },
  kit: {
    adapter: adapter({ out: 'build', precompress: true }),
    alias: existsSync(sdk) ? { '@store-service/sdk': sdk } : {},
    csp: {
      mode: 'nonce',
      directives: {
        'default-src': ['none'],
        'script-src': ['self'],
        'style-src': ['self'],
        'img-src': ['self', 'data:', 'blob:'],
        'connect-src': ['self'],
        'font-src': ['self'],
        'manifest-src': ['self'],
        'worker-src': ['self'],
        'frame-ancestors': ['none'],
        'form-action': ['self'],
        'base-uri': ['none'],
      },
    },
    // Styles have files of their own, which the policy takes without exceptions.
    inlineStyleThreshold: 0,
    serviceWorker: { register: false },
    version: { pollInterval: 0 },
  },
};
