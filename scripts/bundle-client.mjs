import { build } from 'vite';
import { fileURLToPath } from 'node:url';

/** The packages that the bundle holds. */
export const heldPackages = ['commander', 'yaml'];

/** Bundles the client into a folder outside the project: store.mjs, and the parts that commands load when needed. */
export async function bundleClient(folder) {
  await build({
    root: fileURLToPath(new URL('..', import.meta.url)),
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    ssr: { noExternal: heldPackages },
    build: {
      ssr: 'src/client/main.ts',
      outDir: folder,
      emptyOutDir: true,
      target: 'node20',
      rolldownOptions: { output: { entryFileNames: 'store.mjs', chunkFileNames: '[name]-[hash].mjs' } },
    },
  });
}
