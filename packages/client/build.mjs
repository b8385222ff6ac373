// The client in a few files: dist for `bin/store.cjs`, and those of the package (pack.mjs).
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

/** Commander can run commands that are programs of their own. The client has none, and the module takes time to load. */
const noPrograms = {
  name: 'no-programs',
  enforce: 'pre',
  resolveId: (name, importer) =>
    name === 'node:child_process' && importer?.includes('/node_modules/commander/') ? '\0no-programs' : null,
  load: (id) => (id === '\0no-programs' ? 'export default {};' : null),
};

/** The names of the packages whose modules are in a bundle. */
function packagesIn({ output }) {
  const ids = output.flatMap(({ moduleIds = [] }) => moduleIds);
  const names = ids.map((id) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1]);
  return [...new Set(names)].filter((name) => name !== undefined);
}

/**
 * Bundles the client into a folder: store.cjs, and the parts that commands load when needed. As CommonJS, since Node.js
 * starts it sooner than it starts modules. Returns the names of the packages that it holds.
 */
export async function bundleClient(folder) {
  const bundle = await build({
    root: fileURLToPath(new URL('.', import.meta.url)),
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    plugins: [noPrograms],
    // The sources, so that the client is built without building the package first.
    resolve: { alias: { '@store-service/sdk': fileURLToPath(new URL('../sdk/src/index.ts', import.meta.url)) } },
    ssr: { noExternal: true },
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
  return packagesIn(bundle);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await bundleClient(fileURLToPath(new URL('dist/', import.meta.url)));
}
