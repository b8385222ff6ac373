/** What a caller got. `body` is parsed where it is JSON, else its text; null where there was none. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: unknown;
}

/** The caller never learned the outcome: the request may have taken effect, or not. */
export interface Lost {
  lost: string;
}

interface Entry {
  /** Its place in the history, from 0. Entries stand in the order in which they ended. */
  n: number;
  /** The simulated time at which it ended, in ISO 8601. */
  at: string;
}

/** A request of a client, and how it ended. */
export interface RequestEntry extends Entry {
  kind: 'request';
  /** The node that was called. */
  node: 0 | 1;
  /** Who called: its kind and number, such as `shopper-3`. */
  client: string;
  /** The simulated time at which the request was sent. */
  sentAt: string;
  /** How many entries there were when the request was sent: those from here on may have happened beside it. */
  sentN: number;
  method: string;
  /** The path with its query, such as `/cart/items?x=1`. */
  path: string;
  headers: Record<string, string>;
  /** What was sent: parsed where it was JSON, else its text; null where nothing was. */
  body: unknown;
  answer: Answer | Lost;
}

/** A webhook that came to one of the simulated receivers. */
export interface DeliveryEntry extends Entry {
  kind: 'delivery';
  receiver: string;
  headers: Record<string, string>;
  /** As it was sent: the signature is of this text. */
  body: string;
  /** What the receiver answered; `lost` where it hung or broke the connection. */
  answer: { status: number } | Lost;
}

/** A mail that went out. A mail that is tried again has the same id. */
export interface MailEntry extends Entry {
  kind: 'mail';
  id: string;
  to: string;
  subject: string;
  text: string;
}

/** Money that the provider of payments paid back; it does so once for each id, however often it is asked. */
export interface PaybackEntry extends Entry {
  kind: 'payback';
  /** The shop's id of the refund. */
  id: string;
  order: number;
  amount: number;
}

/** Something that the simulator broke, or mended, in words. */
export interface FaultEntry extends Entry {
  kind: 'fault';
  what: string;
}

/** The clock was turned. */
export interface ClockEntry extends Entry {
  kind: 'clock';
  to: string;
}

export type HistoryEntry = RequestEntry | DeliveryEntry | MailEntry | PaybackEntry | FaultEntry | ClockEntry;

/** An entry as it is told, before it has a place and a time. */
export type Told<E extends HistoryEntry = HistoryEntry> = E extends HistoryEntry ? Omit<E, 'n' | 'at'> : never;

/** The service after the run: all faults are over, and nothing is left to do. */
export interface EndState {
  /** The simulated time, in ISO 8601; without it, that of the last entry. */
  at?: string;
  /** Reads as an account whose requests are in the history: `admin`, or the name of a client. */
  read(method: string, path: string, as: string): Promise<Answer>;
  /** Rows of the database. */
  rows(sql: string): Promise<Record<string, unknown>[]>;
}

/** A rule that did not hold. */
export interface Violation {
  /** The rule by its name, such as `stock/never-below-zero`. */
  rule: string;
  /** The entry that shows it; none where the end state does. */
  entry?: number;
  /** What was expected and what there was, in a sentence. */
  message: string;
}

export function isLost(answer: object): answer is Lost {
  return 'lost' in answer;
}

/** What happened in a run, in order. */
export class History {
  readonly entries: HistoryEntry[] = [];

  constructor(private readonly now: () => Date) {}

  get length(): number {
    return this.entries.length;
  }

  add(told: Told): void {
    this.entries.push({ n: this.entries.length, at: this.now().toISOString(), ...told });
  }
}
