import type { Version } from '../parts/versions.svelte.js';

/** What customers wrote and the shop answers. */
export interface Answerable {
  id: number;
  answer?: string | null;
  answered_at?: string | null;
}

/** One kind of it: how it is read and answered. */
export interface Answered<T extends Answerable> {
  /** The first part of the key of its query. */
  key: 'review' | 'testimonial';
  changes: 'reviews' | 'testimonials';
  nameOf: (value: T) => string;
  read: (id: number) => Promise<Version<T>>;
  /** Writes the answer, but only over the version with this ETag. */
  write: (id: number, answer: string | null, etag: string) => Promise<Version<T>>;
}
