import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { SimulatedClock } from '../../simulation/clock.js';
import { Random } from '../../simulation/random.js';
import { StatementDoor } from '../../simulation/statement-door.js';
import { SimulatedTimers } from '../../simulation/timers.js';
import { Turnstile, type Work } from '../../simulation/turnstile.js';
import { Actor, Life, whereabouts } from '../../simulation/whereabouts.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const seeds = Array.from({ length: 8 }, (_, index) => `seed ${index + 1}`);
const waiters = ['b', 'c', 'd', 'e', 'f', 'g'];
/** Those whose node is killed, most of them while they wait. */
const mortal = new Set(['b', 'd', 'f', 'g', 'k']);

let database: TestDatabase;
let own: pg.Pool;
let door: StatementDoor;
/** What the door takes the place of: other tests of the process have pg's own. */
const replaced = ['query', 'connect'].map((name) => [name, Reflect.get(pg.Client.prototype, name) as unknown]);

beforeAll(async () => {
  door = new StatementDoor();
  database = await createTestDatabase();
  own = new pg.Pool({ connectionString: database.url });
  await database.rows('CREATE TABLE sentences (letters text)');
});

afterAll(async () => {
  await own.end();
  await database.drop();
  Object.assign(pg.Client.prototype, Object.fromEntries(replaced));
});

function promised(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((resolved) => (resolve = resolved));
  return { promise, resolve };
}

/** Each adds a letter to one row, for which all wait; a node is killed before the row is free. */
async function live(seed: string): Promise<{ sent: string; written: string }> {
  await database.rows('DELETE FROM sentences');
  await database.rows(`INSERT INTO sentences VALUES ('')`);
  const random = new Random(seed);
  const lives = [new Life(0, 1, random), new Life(1, 2, random)] as const;
  let sent = '';
  const killed = promised();
  const held = promised();
  const clock = new SimulatedClock();
  const turnstile = new Turnstile({ door, clock, timers: new SimulatedTimers(clock), database: own }, random, {
    befalls: ({ text, actor }) => {
      if (text.startsWith('UPDATE')) sent += actor.name;
      return text === 'SELECT 2' ? 'node-after' : 'nothing';
    },
    endNode: async (life) => {
      life.end();
      await Promise.all([...life.clients].map((client) => door.cut(client)));
      turnstile.drop(life);
      await turnstile.untilNoticed();
      killed.resolve();
    },
    jump: () => Promise.resolve(),
    note: () => undefined,
  });
  const clients: pg.Client[] = [];
  const does = async (name: string, work: (client: pg.Client) => Promise<void>): Promise<Work> => {
    const where = {
      life: lives[Number(mortal.has(name))] as Life,
      actor: new Actor(name, random),
    };
    const client = new pg.Client({ connectionString: database.url });
    client.on('error', () => undefined);
    clients.push(client);
    await whereabouts.run(where, () => client.connect());
    const ended = (error: unknown) => {
      if (!where.life.hasEnded) throw error;
    };
    return { actor: where.actor, work: () => whereabouts.run(where, () => work(client)).catch(ended) };
  };
  const add = (client: pg.Client, letter: string) =>
    client.query(`UPDATE sentences SET letters = letters || '${letter}'`);
  await turnstile.step([
    await does('a', async (client) => {
      await client.query('BEGIN');
      await add(client, 'a');
      held.resolve();
      await killed.promise;
      await client.query('COMMIT');
    }),
    await does('k', async (client) => {
      // Until then, all others have had their turns.
      for (let turn = 0; turn < 60; turn++) await client.query('SELECT 1');
      await client.query('SELECT 2');
    }),
    ...(await Promise.all(
      waiters.map((letter) =>
        does(letter, async (client) => {
          await held.promise;
          await add(client, letter);
        }),
      ),
    )),
  ]);
  await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
  const [row] = await database.rows<{ letters: string }>('SELECT letters FROM sentences');
  return { sent, written: row?.letters ?? '' };
}

describe('Who waits for a row', () => {
  it.each(seeds)('gets it in the order sent, be its node alive or not: %s', async (seed) => {
    const { sent, written } = await live(seed);
    expect([...sent].sort()).toEqual(['a', ...waiters]);
    expect(written).toBe(sent);
  });
});
