/** The kinds of containers too deep for any path or value: a bit each, since there may be millions. */
export class DeepContainers {
  depth = 0;
  private bits = new Uint8Array(64);

  get isArray(): boolean {
    const at = this.depth - 1;
    return (((this.bits[at >> 3] ?? 0) >> (at & 7)) & 1) === 1;
  }

  push(isArray: boolean): void {
    const byte = this.depth >> 3;
    if (byte >= this.bits.length) {
      const grown = new Uint8Array(2 * this.bits.length);
      grown.set(this.bits);
      this.bits = grown;
    }
    const bit = 1 << (this.depth & 7);
    this.bits[byte] = isArray ? (this.bits[byte] ?? 0) | bit : (this.bits[byte] ?? 0) & ~bit;
    this.depth++;
  }
}
