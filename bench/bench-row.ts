import type { Arena } from './arena.js';
import type { Side } from './contestants.js';
import type { Pace } from './pace.js';

export interface Measurement {
  /** Units a second. */
  rate: number;
  /** Latencies of requests; null for a single piece of work. */
  p99Milliseconds: number | null;
  /** Failures, in words: a measurement with any says nothing. */
  failures: string[];
}

/** One of the two sides of a row. */
export interface Contender {
  name: string;
  /** Does its work once, or for a while, and returns its rate. */
  measure(arena: Arena, pace: Pace, isWarmUp: boolean): Promise<Measurement>;
}

/** One ratio: the first contender's rate over the second's. */
export interface BenchRow {
  name: string;
  /** A name that selects several rows. */
  group?: string;
  what: string;
  connections: number;
  /** What the rates count. */
  unit: 'requests' | 'events' | 'results' | 'issues' | 'starts' | 'frames' | 'pages' | 'seconds';
  first: Contender;
  second: Contender;
  /** Further remarks, once measured. */
  more?: () => string;
  /** What this machine lacks for it; null if nothing. */
  missing?: () => string | null;
  /** The ratio to reach; null if none is set. */
  bar: number | null;
  /** The only contestants that may run on these databases meanwhile; any by default. */
  alone?: readonly Side[];
  /** The contestant whose memory is watched throughout the row. */
  watched?: Side;
}
