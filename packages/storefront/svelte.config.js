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
        // The one style that SvelteKit sets on an element: it hides the words by which a screen reader tells of a new page.
        'style-src-attr': ['unsafe-hashes', 'sha256-S8qMpvofolR8Mpjy4kQvEm7m1q8clzU4dfDH0AmvZjo='],
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
    // The page for times without a connection is shown at any address.
    paths: { relative: false },
    version: { pollInterval: 0 },
  },
};
