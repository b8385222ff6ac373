// Runs at the end of `npm ci`: builds the console and the shop front, which `nest build` then takes along. Where the tools that build it are not
// installed, as after `npm ci --omit=dev`, there is nothing to do.
import { createRequire } from 'node:module';

const { resolve } = createRequire(import.meta.url);
const isThere = (tool) => {
  try {
    return resolve(tool) !== '';
  } catch {
    return false;
  }
};
if (isThere('vite') && isThere('@sveltejs/kit/package.json')) {
  const { buildConsoleIfStale, buildStorefrontIfStale } = await import('./build-if-stale.mjs');
  buildConsoleIfStale();
  buildStorefrontIfStale();
}
