import type { Arena } from './arena.js';
import type { Side } from './contestants.js';
import type { Pace } from './pace.js';

export interface Measurement {
  /** How much a second, in the row's unit. */
  rate: number;
  /** Of requests; null where the work is one piece. */
  p99Milliseconds: number | null;
  /** What was no success, as a reader is told: a measurement with any says nothing. */
  failures: string[];
}

/** One of the two that a row compares. */
export interface Contender {
  name: string;
  /** Does its work once, or for a while, and tells how fast it was. */
  measure(arena: Arena, pace: Pace, isWarmUp: boolean): Promise<Measurement>;
}

/** One ratio: the first contender's rate over the second's. */
export interface BenchRow {
  name: string;
  /** A name by which rows are chosen together. */
  group?: string;
  what: string;
  connections: number;
  /** What the rates count. */
  unit: 'requests' | 'events' | 'results' | 'issues' | 'starts' | 'frames' | 'pages' | 'seconds';
  first: Contender;
  second: Contender;
  /** What else to say of it once it is measured. */
  more?: () => string;
  /** What is not on this machine for it; null where all is. */
  missing?: () => string | null;
  /** What the ratio should reach; null where none is set. */
  bar: number | null;
  /** The only contestants that may run on their databases meanwhile; any where left out. */
  alone?: readonly Side[];
  /** The contestant whose memory is watched from before the first work to the end of the last. */
  watched?: Side;
}
