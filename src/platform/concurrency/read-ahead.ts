/** Reads the next value of an iterable during the work on the one before; there is one reader. */
export class ReadAhead<T> {
  private readonly source: AsyncIterator<T>;
  private coming: Promise<IteratorResult<T>> | undefined;

  constructor(values: AsyncIterable<T>) {
    this.source = values[Symbol.asyncIterator]();
  }

  /** Begins to read the next value, unless that is in progress. */
  begin(): void {
    this.coming ??= this.source.next();
    this.coming.catch(() => undefined); // `next` reports the error, if anybody asks
  }

  /** The next value; undefined after the last one. */
  async next(): Promise<T | undefined> {
    this.begin();
    const read = await this.coming;
    this.coming = undefined;
    return read?.done === false ? read.value : undefined;
  }

  /** Resolves when no read is in progress, however the last one ended. */
  async rest(): Promise<void> {
    await this.coming?.catch(() => undefined);
  }
}
