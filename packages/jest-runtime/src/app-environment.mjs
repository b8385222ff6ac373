import { AsyncLocalStorage } from 'node:async_hooks';
import { TestEnvironment } from 'jest-environment-node';

/** Those that have been used since the file began. */
const storages = new Set();
const run = Reflect.get(AsyncLocalStorage.prototype, 'run');
AsyncLocalStorage.prototype.run = function (...call) {
  storages.add(this);
  return run.apply(this, call);
};

/**
 * The realm in which `AppRuntime` leaves Jest's list of tests. They run in Node's own realm: Jest takes its timers from
 * there, and restores the console and the environment variables as it found them.
 */
export default class AppEnvironment extends TestEnvironment {
  #console;
  #variables;

  constructor(config, context) {
    super(config, context);
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
    // Each one that stays enabled would slow every promise of all later files (up to Node 22).
    for (const storage of storages) storage.disable();
    storages.clear();
  }
}
