import type { SimulatedClock } from './clock.js';
import type { Client } from './client.js';
import type { Databases } from './database.js';
import { judgeGrowth } from './growth.js';
import type { HistoryEntry, Violation } from './history.js';
import { judgeLife } from './liveness.js';
import { judge } from './model/index.js';
import type { Random } from './random.js';
import { openScene } from './scene.js';
import { ConnectionLost, type StatementDoor } from './statement-door.js';
import type { SimulatedTimers } from './timers.js';
import { NeverDone } from './turnstile.js';
import { World } from './world.js';

const minuteMs = 60_000;
const dayMs = 1_440 * minuteMs;
/** How often everybody comes at once. */
const rushChance = 0.08;

/** What is the same for all runs of a process. */
export interface Ground {
  databases: Databases;
  clock: SimulatedClock;
  timers: SimulatedTimers;
  door: StatementDoor;
}

export interface RunChoices {
  seed: string;
  days: number;
  /** How many minutes pass between two steps, on average. */
  pause: number;
  /** Without faults, to tell what only they cause. */
  withoutFaults?: boolean;
  /** With a quiet month at the end, in which rows must go, or stay. */
  withMonth?: boolean;
}

export interface RunResult {
  history: HistoryEntry[];
  violations: Violation[];
  /** What the nodes logged as errors. */
  errors: string[];
  steps: number;
}

/** Lives through so many days of a seed, and judges them. */
export async function run({ databases, clock, timers, door }: Ground, choices: RunChoices): Promise<RunResult> {
  const databaseUrl = await databases.make();
  const world = await World.open({ seed: choices.seed, databaseUrl, clock, timers, door });
  const unhandled: Violation[] = [];
  const note = (error: unknown): void => {
    if (error instanceof ConnectionLost && error.isOfDead) return;
    const message = `A node would have ended, since nobody handled this: ${(error as Error).stack ?? String(error)}`;
    unhandled.push({ rule: 'node/unhandled-rejection', entry: world.history.length - 1, message });
  };
  process.on('unhandledRejection', note);
  let steps = 0;
  let isStuck = false;
  try {
    const clients = await world.inOneStep('scene', () => openScene(world));
    setFaults(world, !choices.withoutFaults);
    await live(world, clients, choices, () => (steps += 1));
    setFaults(world, false);
    const life = await judgeLife(world);
    const judged = await world.inOneStep('judge', () => judge(world.history.entries, world.end));
    const growth = choices.withMonth ? await judgeGrowth(world) : [];
    const violations = [...life, ...unhandled, ...judged, ...growth];
    return { history: world.history.entries, violations, errors: world.errors, steps };
  } catch (error) {
    // Whatever the nodes had begun may wait for turns that do not come any more.
    isStuck = true;
    if (!(error instanceof NeverDone)) throw error;
    const violations = [{ rule: 'liveness/work-ends', message: error.message }, ...unhandled];
    return { history: world.history.entries, violations, errors: world.errors, steps };
  } finally {
    await world.close(isStuck);
    await databases.drop(databaseUrl);
    process.off('unhandledRejection', note);
  }
}

function setFaults(world: World, areOn: boolean): void {
  world.faults.areOn = areOn;
  world.outside.hasFaults = areOn;
  world.receivers.hasFaults = areOn;
}

/** Steps through the days; tells each step. */
async function live(
  world: World,
  clients: readonly Client[],
  { days, pause }: RunChoices,
  tell: () => void,
): Promise<void> {
  const random = world.random.split('life');
  const end = world.clock.ms + days * dayMs;
  while (world.clock.ms < end) {
    await world.advance(1 + random.wait(pause * minuteMs));
    await world.mend();
    const acting = random.chance(rushChance) ? rushing(clients, random.between(0, 99)) : some(clients, random);
    const nodes = world.livingNodes.filter(() => random.chance(0.7));
    await world.turnstile.step([
      ...acting.map(({ client, work }) => ({ actor: client.caller.begin(), work })),
      ...nodes.map((node) => world.workerOf(node)),
    ]);
    tell();
  }
}

interface Acting {
  client: Client;
  work: () => Promise<void>;
}

/** Some of the clients, each at most once, by their weights. */
function some(clients: readonly Client[], random: Random): Acting[] {
  const count = random.between(1, 4);
  const keyed = clients.map((client) => ({ client, key: random.next() ** (1 / client.weight) }));
  return keyed
    .sort((one, other) => other.key - one.key)
    .slice(0, count)
    .map(({ client }) => ({ client, work: () => client.act() }));
}

/** All clients that want the same. */
function rushing(clients: readonly Client[], which: number): Acting[] {
  return clients.flatMap((client) => (client.rush ? [{ client, work: () => client.rush!(which) }] : []));
}
