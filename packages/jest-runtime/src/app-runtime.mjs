import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { SourceTextModule, SyntheticModule } from 'node:vm';
import JestRuntime from 'jest-runtime';

const sources = fileURLToPath(new URL('../../../src/', import.meta.url));
/** The packages that are taken as sources. */
const packages = /^@store-service\/(demo|embedded-postgres|sdk)$/;
const packageFolder = fileURLToPath(new URL('../../', import.meta.url));
const isKept = (file) =>
  file.startsWith(sources) || /^(demo|embedded-postgres)\/src\//.test(file.slice(packageFolder.length));
const typescript = /\.ts$/;
const transformOptions = {
  isInternalModule: false,
  supportsDynamicImport: true,
  supportsExportNamespaceFrom: true,
  supportsStaticESM: true,
  supportsTopLevelAwait: true,
};

/** Everything that a worker keeps between test files: the modules of packages and of `src`, and the paths of source maps. */
const kept = new Map();
const sourceMaps = new Map();
/** Links one graph at a time: a module that two graphs link at once would be found half linked by one of them. */
let linked = Promise.resolve();
/** The runtime of the current test file. Node 20 never frees a module: none may hold on to the runtime that loaded it. */
let current;
// By itself Node.js would first free all that a worker has loaded, for longer than Jest waits for it. What a test leaves
// open still holds the worker up, and Jest says so.
if (process.send) process.once('beforeExit', () => process.exit());
const hooks = {
  initializeImportMeta: (meta, { identifier }) => (meta.url = pathToFileURL(identifier).href),
  importModuleDynamically: (specifier, referrer) => current.imported(specifier, referrer),
};

async function synthetic(identifier, exports) {
  const names = Object.keys(exports);
  const module = new SyntheticModule(names, () => names.forEach((name) => module.setExport(name, exports[name])), {
    identifier,
  });
  await module.link(() => undefined);
  await module.evaluate();
  return module;
}

/** The TypeScript file that `./name.js` stands for in a TypeScript file, or the file itself. */
function fileOf(specifier, referrer) {
  const file = resolve(dirname(referrer), specifier);
  const source = file.replace(/\.js$/, '.ts');
  return source !== file && existsSync(source) ? source : file;
}

/**
 * Tells Jest to which test or hook an error belongs. One of them runs at a time, so none of their promises has to be
 * followed: up to Node 22 an AsyncLocalStorage would do that to all of the process, the app's too.
 */
class CurrentTest {
  #now;

  getStore() {
    return this.#now;
  }

  async run(test, work) {
    const outer = this.#now;
    this.#now = test;
    try {
      return await work();
    } finally {
      this.#now = outer;
    }
  }
}

/**
 * Jest loads everything that a test file imports anew for each file, in a realm of its own, which takes seconds for an app
 * with Nest and TypeORM. Here a worker loads packages and `src` once, as Node itself loads them, and the test files one by
 * one on top of them. All of it is in one realm, so `instanceof` works across them.
 */
export default class AppRuntime extends JestRuntime {
  #transformer;
  #own = new Map();

  constructor(...parts) {
    super(...parts);
    const [, , , transformer, , , , { watch, watchAll }] = parts;
    this.#transformer = transformer;
    if (watch || watchAll) kept.clear();
    current = this;
  }

  async unstable_importModule(file) {
    return this.#evaluated(await this.#moduleOf(file));
  }

  /** Resolves what a module imports while it runs. */
  async imported(specifier, referrer) {
    return this.#evaluated(await this.#resolved(specifier, referrer));
  }

  /** What Jest's own parts need is loaded once per worker, too: only its list of tests and hooks begins anew for each file. */
  requireInternalModule(from, name) {
    if (name === undefined) return super.requireInternalModule(from);
    return name === 'node:async_hooks' ? { AsyncLocalStorage: CurrentTest } : createRequire(from)(name);
  }

  getSourceMaps() {
    return sourceMaps;
  }

  async #evaluated(module) {
    try {
      if (module.status === 'unlinked' || module.status === 'linking') await this.#linked(module);
      await module.evaluate();
      return module;
    } catch (error) {
      kept.clear(); // a module that failed half way is of no use to the next file
      throw error;
    }
  }

  #linked(module) {
    linked = linked
      .catch(() => undefined)
      // The graph that was linked meanwhile may have held it.
      .then(() => module.status === 'unlinked' && module.link((...request) => this.#resolved(...request)));
    return linked;
  }

  async #resolved(specifier, { identifier: referrer }) {
    if (specifier === '@jest/globals') return synthetic(specifier, this.requireModuleOrMock(referrer, specifier));
    const [, name] = packages.exec(specifier) ?? [];
    if (name) return this.#moduleOf(`${packageFolder}${name}/src/index.ts`);
    return this.#moduleOf(/^\.{1,2}\//.test(specifier) ? fileOf(specifier, referrer) : specifier);
  }

  /** The module of a file or package: a single instance, even for importers that ask while it is still loading. */
  #moduleOf(name) {
    const registry = typescript.test(name) && !isKept(name) ? this.#own : kept;
    let module = registry.get(name);
    if (!module) registry.set(name, (module = typescript.test(name) ? this.#compiled(name) : this.#native(name)));
    return module;
  }

  async #native(name) {
    return synthetic(name, await import(name.startsWith(sep) ? pathToFileURL(name).href : name));
  }

  async #compiled(file) {
    const { code, sourceMapPath } = await this.#transformer.transformAsync(file, transformOptions);
    if (sourceMapPath) sourceMaps.set(file, sourceMapPath);
    return new SourceTextModule(code, { identifier: file, ...hooks });
  }
}
