/** A new key for a request that may be repeated: pages without encryption have no `crypto.randomUUID`. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The key of a form's request: the same while what it sends is the same, so that a second attempt does nothing twice. */
export class FormKey {
  #sent = '';
  #key = '';

  of(body: unknown): string {
    const sent = JSON.stringify(body);
    if (sent !== this.#sent) this.#key = newKey();
    this.#sent = sent;
    return this.#key;
  }
}
