import { flushSync } from 'svelte';

/**
 * The most milliseconds and elements to write in a frame: the browser must also lay them out and paint them. The next frame
 * writes the rest.
 */
const budgetMs = 6;
const mostOfFrame = 6;
/** After this long without a change the elements are put into reading order. */
const restMs = 200;

/** An element that shows one row after another: creating one costs much more than writing into it. */
class RowSlot<Row> {
  row: Row = $state.raw() as Row;
  /** The position of its row in the list; -1 while it shows none. */
  index = $state(-1);
  /** Whether it is below the others of its round, rather than in DOM order. */
  isLater = $state(false);

  constructor(row: Row) {
    this.row = row;
  }
}

interface RowView<Row> {
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** The bounds of the rows in view. */
  first: number;
  last: number;
  /** The most rows in view at once. */
  most: number;
  /** The number of rows that arrived above the first ones: each shifted the others by one. */
  arrived: number;
}

/**
 * The elements of the rows in view, in rounds: each shows every nth row. So a row that stays in view keeps its element,
 * scrolling and following create and move none, and none needs a style of its own, which browsers handle slowly.
 */
export class RowSlots<Row> {
  all = $state.raw<RowSlot<Row>[]>([]);
  /** The position of the first element's row; below zero if rows arrived above. */
  start = $state(0);
  /** The elements' places in the document, in the order of their rows. */
  order = $state.raw<number[]>([]);
  #view: RowView<Row> | undefined;
  #missing: number[] = [];
  #frame: number | undefined;
  #rest: ReturnType<typeof setTimeout> | undefined;
  #changedAt = 0;

  /**
   * Shows these rows: those that already have an element at once, the others frame by frame, from the top. Until then, an
   * element shows its previous row.
   */
  show(view: RowView<Row>): void {
    const { rows, keyOf, first, last, arrived } = view;
    this.#resize(view);
    this.#view = view;
    const size = this.all.length;
    this.start = first - modulo(first - arrived, size);
    this.#missing = [];
    for (const [place, slot] of this.all.entries()) {
      const isLater = this.start + place < first;
      const index = this.start + place + (isLater ? size : 0);
      const row = index < last ? rows[index] : undefined;
      slot.isLater = isLater;
      if (row === undefined) slot.index = -1;
      else if (slot.index < 0 || keyOf(row) !== keyOf(slot.row)) this.#missing.push(index);
      else {
        slot.row = row;
        slot.index = index;
      }
    }
    this.#missing.sort((one, other) => one - other);
    if (this.#missing.length > 0) this.#frame ??= requestAnimationFrame((at) => this.#fill(at));
    this.#changedAt = performance.now();
    this.#rest ??= setTimeout(() => this.#settle(), restMs);
  }

  /** Shows a row in view at once. */
  showNow(index: number): void {
    if (!this.#missing.includes(index)) return;
    this.#missing = this.#missing.filter((one) => one !== index);
    this.#write(index);
  }

  stop(): void {
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    this.#frame = undefined;
    clearTimeout(this.#rest);
    this.#rest = undefined;
  }

  #settle(): void {
    const leftMs = this.#changedAt + restMs - performance.now();
    this.#rest = leftMs > 0 ? setTimeout(() => this.#settle(), leftMs) : undefined;
    if (leftMs > 0) return;
    const shown = [...this.all.entries()].filter(([, { index }]) => index >= 0);
    this.order = shown.toSorted(([, one], [, other]) => one.index - other.index).map(([place]) => place);
  }

  /** With another number of elements the rounds differ: all are written anew. */
  #resize({ rows, most }: RowView<Row>): void {
    const [row] = rows;
    if (most === this.all.length || row === undefined) return;
    this.all = Array.from({ length: most }, (_, place) => this.all[place] ?? new RowSlot(row));
    for (const slot of this.all) slot.index = -1;
  }

  #fill(frameAt: number): void {
    let count = 0;
    do {
      const index = this.#missing.shift();
      if (index !== undefined) this.#write(index);
      flushSync();
      count++;
    } while (this.#missing.length > 0 && count < mostOfFrame && performance.now() - frameAt < budgetMs);
    this.#frame = this.#missing.length > 0 ? requestAnimationFrame((at) => this.#fill(at)) : undefined;
  }

  #write(index: number): void {
    const row = this.#view?.rows[index];
    const slot = this.all[modulo(index - this.start, this.all.length)];
    if (row === undefined || !slot) return;
    slot.row = row;
    slot.index = index;
  }
}

const modulo = (value: number, by: number): number => ((value % by) + by) % by;
