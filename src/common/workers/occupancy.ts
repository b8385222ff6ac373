/** Something that a node holds a few of at once, such as the streams of one organization. */
export interface BoundedCount {
  readonly name: string;
  readonly most: number;
}

/** Counts such things on a node. */
export class Occupancy {
  private readonly taken = new Map<string, number>();

  /** Takes a place in each of the counts; where one is full, in none, and returns its index. */
  take(counts: readonly BoundedCount[]): number | null {
    const full = counts.findIndex(({ name, most }) => this.of(name) >= most);
    if (full >= 0) return full;
    for (const { name } of counts) this.taken.set(name, this.of(name) + 1);
    return null;
  }

  leave(counts: readonly BoundedCount[]): void {
    for (const { name } of counts) {
      const left = this.of(name) - 1;
      if (left > 0) this.taken.set(name, left);
      else this.taken.delete(name);
    }
  }

  private of(name: string): number {
    return this.taken.get(name) ?? 0;
  }
}
