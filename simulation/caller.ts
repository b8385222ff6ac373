import { setImmediate as turn } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { SimulatedClock } from './clock.js';
import type { FaultPlan } from './fault-plan.js';
import { type Answer, type History, isLost, type Lost } from './history.js';
import { actorHeader } from './node.js';
import type { Random } from './random.js';
import { Actor } from './whereabouts.js';

/** What a caller knows of the world. */
export interface Surroundings {
  readonly random: Random;
  readonly clock: SimulatedClock;
  readonly history: History;
  readonly faults: FaultPlan;
  /** Resolves when somebody who was answered may go on. */
  hear(actor: Actor): Promise<void>;
  /** The address of a node; undefined while it is down. */
  urlOf(node: 0 | 1): string | undefined;
}

/** What may be said about a request beside its method and path. */
export interface CallOptions {
  json?: unknown;
  /** A body that is not JSON. */
  text?: string;
  headers?: Record<string, string>;
  /** Without what the caller is known by. */
  isAnonymous?: boolean;
  /** The node to call; otherwise whichever the caller uses. */
  node?: 0 | 1;
}

/** How often an answer or a request is lost between a client and its node. */
const lossOf = { before: 0.01, after: 0.02 };
/** How long a node may take before the simulator counts it as hanging. */
const patienceMs = 120_000;

function textOrJson(text: string, contentType: unknown): unknown {
  if (text === '') return null;
  return String(contentType).includes('json') ? (JSON.parse(text) as unknown) : text;
}

/** Somebody who sends requests to the nodes; all of them are in the history. */
export class Caller {
  /** What it sends to be known: `Authorization`, or `X-API-Key`. */
  credentials: Record<string, string> = {};
  /** Makes them valid again, where that can be done. */
  renew: (() => Promise<void>) | undefined;
  readonly random: Random;
  private current: Actor;
  private node: 0 | 1;
  private works = 0;
  /** The request that it waits for. */
  private sent: { node: 0 | 1; answer: Promise<unknown> } | undefined;

  constructor(
    readonly name: string,
    private readonly world: Surroundings,
  ) {
    this.random = world.random.split(name);
    this.current = this.newActor();
    this.node = this.random.pick([0, 1] as const);
  }

  /** Begins a new piece of work. */
  begin(): Actor {
    this.current = this.newActor();
    if (this.random.chance(0.2)) this.node = this.random.pick([0, 1] as const);
    return this.current;
  }

  private newActor(): Actor {
    return new Actor(this.name, this.random.split(`work ${++this.works}`));
  }

  get actor(): Actor {
    return this.current;
  }

  /** Sends a request once. */
  async call(method: string, path: string, options: CallOptions = {}): Promise<Answer | Lost> {
    const { world } = this;
    const node = options.node ?? this.node;
    const { json, text } = options;
    const headers: Record<string, string> = {
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...(options.isAnonymous ? {} : this.credentials),
      ...options.headers,
    };
    const [sentAt, sentN] = [world.clock.now.toISOString(), world.history.length];
    const asked = this.exchange(node, method, path, headers, json === undefined ? text : JSON.stringify(json));
    this.sent = { node, answer: asked };
    const answer = await asked;
    this.sent = undefined;
    await world.hear(this.actor);
    const body = json ?? text ?? null;
    world.history.add({ kind: 'request', node, client: this.name, sentAt, sentN, method, path, headers, body, answer });
    if (isLost(answer)) this.node = node === 0 ? 1 : 0;
    return answer;
  }

  /** Learns that a node was killed, if it waits for that one; resolves when it has noted so. */
  async miss(node: 0 | 1): Promise<void> {
    const { sent } = this;
    if (sent?.node !== node) return;
    this.actor.hangUp?.('the connection broke');
    await sent.answer;
    await turn();
  }

  /** Sends a request again, to the other node too, until it is answered; null where that never happens. */
  async callSurely(method: string, path: string, options: CallOptions = {}): Promise<Answer | null> {
    for (let attempt = 1; attempt <= 4; attempt++) {
      const answer = await this.call(method, path, options);
      if (!isLost(answer) && answer.status < 500) return answer;
    }
    return null;
  }

  private async exchange(
    node: 0 | 1,
    method: string,
    path: string,
    headers: Record<string, string>,
    body: string | undefined,
  ): Promise<Answer | Lost> {
    const { world, current: actor } = this;
    const hasFaults = world.faults.areOn;
    const [before, after] = [this.random.chance(lossOf.before), this.random.chance(lossOf.after)];
    if (hasFaults && before) return { lost: 'the request never arrived' };
    const url = world.urlOf(node);
    if (url === undefined) return { lost: 'the node is down' };
    const ending = new AbortController();
    actor.hangUp = (why) => ending.abort(why);
    const late = setTimeout(() => ending.abort('the client hung up'), patienceMs);
    try {
      const { statusCode, ...answer } = await request(new URL(path, url), {
        method: method as 'GET',
        headers: { ...headers, [actorHeader]: actor.name },
        body: body ?? null,
        dispatcher: agent,
        signal: ending.signal,
      });
      const text = await answer.body.text();
      if (hasFaults && after) return { lost: 'the answer never arrived' };
      const answered = Object.entries(answer.headers).map(([name, value]) => [name, String(value)] as const);
      const content = textOrJson(text, answer.headers['content-type']);
      return { status: statusCode, headers: Object.fromEntries(answered), body: content };
    } catch (error) {
      return {
        lost: ending.signal.aborted ? String(ending.signal.reason) : `the connection broke (${(error as Error).name})`,
      };
    } finally {
      clearTimeout(late);
      actor.hangUp = undefined;
    }
  }
}

/** For all requests of the process; a new connection for each, so that none is left of a node that was killed. */
const agent = new Agent({
  pipelining: 0,
  connect: { timeout: patienceMs },
  headersTimeout: patienceMs,
  bodyTimeout: patienceMs,
});
