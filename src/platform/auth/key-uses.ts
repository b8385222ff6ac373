/** Notes uses of keys: requests do not wait for that, and a failure is ignored. */
export class KeyUses {
  private readonly noting = new Map<string, Promise<void>>();

  constructor(private readonly write: (keyId: string) => Promise<void>) {}

  note(keyId: string): void {
    if (this.noting.has(keyId)) return;
    const noted = this.write(keyId)
      .catch(() => undefined)
      .finally(() => this.noting.delete(keyId));
    this.noting.set(keyId, noted);
  }

  /** Resolves once all uses are noted. */
  async settled(): Promise<void> {
    await Promise.all(this.noting.values());
  }
}
