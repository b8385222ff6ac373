import type { CacheTag } from '../changes/change-bus.js';
import type { BoundedCount } from './occupancy.js';
import type { RateOfNode } from './node-rates.js';

/** The greeting to a worker that joins its node. */
export interface Commission {
  /** The same for all workers of a node. */
  nodeId: string;
  workers: number;
  /** Where the database is, migrated. */
  database: { url: string; directUrl: string; preparedStatements: boolean };
  /** Where the data are, in words. */
  data: string;
  /** The worker that runs the jobs. */
  isLead: boolean;
  /** Whether no worker has served yet: the lead then does the work of a first start. */
  isFirst: boolean;
  /** The port to ask for, if it is known; no other one will do then. */
  port: number | undefined;
  /** When the node started, in milliseconds since 1970. */
  startedAt: number;
}

/** The message of a worker that serves. */
export interface Serving {
  /** The port that it asked for: 0 stands for any. */
  asked: number;
  port: number;
  /** The text for the terminal, at a first start. */
  lines: string;
}

/** The questions that either end may ask the other, with the answer. */
export interface Questions {
  /** A worker: to hear of every change from now on. */
  join: { body: null; answer: Commission };
  serving: { body: Serving; answer: null };
  /** A worker: that all others invalidate these tags, answered when they have. */
  changed: { body: CacheTag[]; answer: null };
  /** To a worker: invalidate these tags. */
  forget: { body: CacheTag[]; answer: null };
  /** A worker: the metrics of the others. */
  others: { body: null; answer: object[][] };
  /** To a worker: its own. */
  measure: { body: null; answer: object[] };
  /** A worker: counts against a limit of the node; returns the milliseconds to wait, 0 where it is within. */
  count: { body: { rate: RateOfNode; key: string }; answer: number };
  /** A worker: takes a place in each of the counts, or none; returns the index of the one that is full, or null. */
  occupy: { body: BoundedCount[]; answer: number | null };
  leave: { body: BoundedCount[]; answer: null };
}

export type Kind = keyof Questions;
type Handler<K extends Kind> = (body: Questions[K]['body']) => Questions[K]['answer'] | Promise<Questions[K]['answer']>;

interface Question {
  question: Kind;
  id: number;
  body: unknown;
}
interface Answer {
  answerTo: number;
  body?: unknown;
  failure?: string;
}

/** The end of an IPC channel: a worker's `process`, or the primary process's handle of a worker. */
export interface ChannelEnd {
  send?(message: unknown, done: (error: Error | null) => void): boolean;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  on(event: 'disconnect', listener: () => void): unknown;
}

interface Waiting {
  resolve: (body: unknown) => void;
  reject: (error: Error) => void;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Questions and answers between the primary process of a node and one of its workers, either way. */
export class Channel {
  private asked = 0;
  private readonly waiting = new Map<number, Waiting>();
  private readonly handlers = new Map<string, (body: unknown) => unknown>();

  constructor(private readonly end: ChannelEnd) {
    end.on('message', (message) => {
      if (!isRecord(message)) return;
      if ('question' in message) void this.answer(message as unknown as Question);
      else if ('answerTo' in message) this.settle(message as unknown as Answer);
    });
    end.on('disconnect', () => {
      for (const id of this.waiting.keys()) this.settle({ answerTo: id, failure: 'The other process is gone' });
    });
  }

  /** Handles questions of a kind; a handler that throws is a failed answer. */
  handle<K extends Kind>(kind: K, handler: Handler<K>): void {
    this.handlers.set(kind, handler as (body: unknown) => unknown);
  }

  /** Asks the other end; rejects where it is gone, or fails. */
  ask<K extends Kind>(kind: K, body: Questions[K]['body']): Promise<Questions[K]['answer']> {
    const id = ++this.asked;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve: resolve as (body: unknown) => void, reject });
      this.send({ question: kind, id, body }, (error) => {
        if (error) this.settle({ answerTo: id, failure: error.message });
      });
    });
  }

  private async answer({ question, id, body }: Question): Promise<void> {
    try {
      this.send({ answerTo: id, body: await this.handlers.get(question)?.(body) }, () => undefined);
    } catch (error) {
      this.send({ answerTo: id, failure: (error as Error).message }, () => undefined);
    }
  }

  private settle({ answerTo, body, failure }: Answer): void {
    const waiting = this.waiting.get(answerTo);
    this.waiting.delete(answerTo);
    if (failure === undefined) waiting?.resolve(body);
    else waiting?.reject(new Error(failure));
  }

  private send(message: Question | Answer, done: (error: Error | null) => void): void {
    if (this.end.send) this.end.send(message, done);
    else done(new Error('There is no other process'));
  }
}
