// Builds the shop front into build: `npm run build`. Run it then with `npm start`.
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const root = fileURLToPath(new URL('.', import.meta.url));
process.chdir(root); // SvelteKit looks for its settings and sources there
process.env.NODE_ENV = 'production'; // whatever runs this: otherwise the pages carry a third more, for developers
rmSync('build', { recursive: true, force: true });
await build({ root, logLevel: 'warn' });
