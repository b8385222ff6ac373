import { randomInt } from 'node:crypto';

/** A key of 128 bits, as four words of 32. */
export type Key = Uint32Array;

/** The words of a key. */
export const keyWords = 4;

/** The result of `find` where the key is not there. */
export const absent = -1;

const firstCapacity = 16;
const slotsPerKey = 2;
const odd = 1;

/**
 * Keys of 128 bits, numbered from 0 in the order in which they are added. A key takes 24 to 48 bytes, where a Set of strings
 * takes a hundred, and none of it is looked at when garbage is collected.
 */
export class KeyTable {
  private count = 0;
  private words = new Uint32Array(firstCapacity * keyWords);
  /** Numbers of keys by the hash of the key, plus one: 0 is a free slot. As open addressing has it, at most half are taken. */
  private slots = new Uint32Array(firstCapacity * slotsPerKey);
  private shift = 32 - Math.log2(firstCapacity * slotsPerKey);
  /** Nobody who chooses keys can tell which of them meet in one slot. */
  private readonly factors = Uint32Array.from({ length: keyWords }, () => randomInt(2 ** 32) | odd);

  get size(): number {
    return this.count;
  }

  /** The number of the key, which is added if it is new. */
  add(key: Key): number {
    let slot = this.slotOf(key);
    const taken = this.slots[slot] ?? 0;
    if (taken > 0) return taken - 1;
    if (this.count * keyWords === this.words.length) {
      this.grow();
      slot = this.slotOf(key);
    }
    this.words.set(key, this.count * keyWords);
    this.slots[slot] = ++this.count;
    return this.count - 1;
  }

  /** The number of the key; `absent` if it was never added. */
  find(key: Key): number {
    return (this.slots[this.slotOf(key)] ?? 0) - 1;
  }

  /** The key of a number, which stays as it is until another one is added. */
  keyOf(number: number): Key {
    return this.words.subarray(number * keyWords, (number + 1) * keyWords);
  }

  /** The slot that has the key, or else the free one that it takes. */
  private slotOf(key: Key): number {
    let slot = this.hashOf(key);
    for (let taken = this.slots[slot] ?? 0; taken > 0; taken = this.slots[slot] ?? 0) {
      if (this.isAt(taken - 1, key)) return slot;
      slot = (slot + 1) % this.slots.length;
    }
    return slot;
  }

  private isAt(number: number, key: Key): boolean {
    const from = number * keyWords;
    for (let word = 0; word < keyWords; word++) if (this.words[from + word] !== key[word]) return false;
    return true;
  }

  /** Multiply-shift hashing: https://en.wikipedia.org/wiki/Universal_hashing */
  private hashOf(key: Key): number {
    let sum = 0;
    for (let word = 0; word < keyWords; word++) sum = (sum + Math.imul(key[word] ?? 0, this.factors[word] ?? 0)) | 0;
    return sum >>> this.shift;
  }

  private grow(): void {
    const words = new Uint32Array(this.words.length * 2);
    words.set(this.words);
    this.words = words;
    this.slots = new Uint32Array(this.slots.length * 2);
    this.shift--;
    for (let number = 0; number < this.count; number++) this.slots[this.slotOf(this.keyOf(number))] = number + 1;
  }
}
