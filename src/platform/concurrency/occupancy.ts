import { Injectable } from '@nestjs/common';

/** A kind of thing of which a node holds a limited number at once, such as the streams of one organization. */
export interface BoundedCount {
  readonly name: string;
  readonly most: number;
}

/** A place in each of the counts, or the index of the full one. */
export type Place = { readonly leave: () => void } | { readonly full: number };

/** Counts what a node holds at once. */
@Injectable()
export class Occupancy {
  private readonly taken = new Map<string, number>();

  /** Takes a place in each of the counts, or in none if one is full. */
  take(counts: readonly BoundedCount[]): Place {
    const full = counts.findIndex(({ name, most }) => this.of(name) >= most);
    if (full >= 0) return { full };
    for (const { name } of counts) this.taken.set(name, this.of(name) + 1);
    return { leave: () => this.leave(counts) };
  }

  private leave(counts: readonly BoundedCount[]): void {
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
