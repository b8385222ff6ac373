import { AsyncLocalStorage } from 'node:async_hooks';
import { TestEnvironment } from 'jest-environment-node';

/** The types that tests pass to `expect` (`expect.any(String)`, `toThrow(TypeError)`), which Jest keeps in a realm of its own. */
const types =
  'Array BigInt Boolean Date Function Map Number Object Promise RegExp Set String Symbol Error AggregateError RangeError ' +
  'SyntaxError TypeError';

/** Those that have been used since the file began. */
const storages = new Set();
const run = Reflect.get(AsyncLocalStorage.prototype, 'run');
AsyncLocalStorage.prototype.run = function (...call) {
  storages.add(this);
  return run.apply(this, call);
};

/**
 * The realm that `AppRuntime` leaves to Jest itself. Tests run in Node's own realm: Jest takes its types and timers from
 * there, and restores the console and the environment variables as it found them.
 */
export default class AppEnvironment extends TestEnvironment {
  #console;
  #variables;

  constructor(config, context) {
    super(config, context);
    for (const type of types.split(' ')) this.global[type] = globalThis[type];
    const FakeTimers = this.fakeTimersModern.constructor;
    this.fakeTimersModern = new FakeTimers({ config: config.projectConfig, global: globalThis });
  }

  async setup() {
    await super.setup();
    this.#console = globalThis.console;
    this.#variables = process.env;
    process.env = { ...process.env };
    globalThis.console = this.global.console;
  }

  async teardown() {
    globalThis.console = this.#console;
    process.env = this.#variables;
    await super.teardown();
    // Jest makes storages for each file. Each one that stays enabled slows every promise of all later files (before Node 24).
    for (const storage of storages) storage.disable();
    storages.clear();
  }
}
