// The client in a few files: dist for `bin/store.cjs`, and those of the package (pack.mjs).
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

/** The packages that the bundle holds. */
export const heldPackages = ['commander', 'yaml'];

/** Commander can run commands that are programs of their own. The client has none, and the module takes time to load. */
const noPrograms = {
  name: 'no-programs',
  enforce: 'pre',
  resolveId: (name, importer) =>
    name === 'node:child_process' && importer?.includes('/node_modules/commander/') ? '\0no-programs' : null,
  load: (id) => (id === '\0no-programs' ? 'export default {};' : null),
};

/**
 * Bundles the client into a folder: store.cjs, and the parts that commands load when needed. As CommonJS, since Node.js
 * starts it sooner than it starts modules.
 */
export async function bundleClient(folder) {
  await build({
    root: fileURLToPath(new URL('.', import.meta.url)),
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    plugins: [noPrograms],
    // The sources, so that the client is built without building the package first.
    resolve: { alias: { '@store-service/sdk': fileURLToPath(new URL('../sdk/src/index.ts', import.meta.url)) } },
    ssr: { noExternal: heldPackages },
    build: {
      ssr: 'src/main.ts',
      outDir: folder,
      emptyOutDir: true,
      target: 'node20',
      rolldownOptions: {
        preserveEntrySignatures: false, // what the parts share with store.cjs stays in it
        output: { format: 'cjs', entryFileNames: 'store.cjs', chunkFileNames: '[name]-[hash].cjs' },
      },
    },
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await bundleClient(fileURLToPath(new URL('dist/', import.meta.url)));
}
