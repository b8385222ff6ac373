import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * A value for all that some work calls and awaits. Up to Node 22, V8 reports each promise of the process to an
 * AsyncLocalStorage that was ever used, which costs a checkout 7 % of its rate; this one is off while nobody holds it.
 */
export class Scope<T> {
  private readonly storage = new AsyncLocalStorage<T>();
  private holders = 0;

  /** The value for the work under way, or undefined. */
  get current(): T | undefined {
    return this.storage.getStore();
  }

  /** Runs `work` with a value until its promise settles. */
  async run<R>(value: T, work: () => Promise<R>): Promise<R> {
    const release = this.hold();
    try {
      return await this.storage.run(value, work);
    } finally {
      release();
    }
  }

  /** Runs work with a value whose end only its caller knows: until then, the caller holds the scope. */
  enter<R>(value: T, work: () => R): R {
    return this.storage.run(value, work);
  }

  /** Keeps the scope on until the returned function is called. */
  hold(): () => void {
    this.holders += 1;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.holders -= 1;
      if (this.holders === 0) this.storage.disable();
    };
  }
}
