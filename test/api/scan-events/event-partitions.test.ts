import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { EventPartitionsService } from '../../../src/scanning/scan-events/event-partitions.service.js';
import { EventCalls, newEvent } from '../../support/events.js';
import { HeldTransaction } from '../../support/held-transaction.js';
import { eventScene } from './event-scene.js';

const day = 86_400_000;
const scene = eventScene({ env: { EVENT_RETENTION_DAYS: '100' } });

const ago = (days: number) => new Date(Date.now() - days * day);
const nameOf = (time: Date) => `scan_events_${time.toISOString().slice(0, 7).replace('-', '_')}`;
const partitions = async () => {
  const sql = `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'scan_events'::regclass`;
  return (await scene.app.database.rows<{ name: string }>(sql)).map(({ name }) => name);
};
const at = (time: Date, fields: object = {}) => newEvent({ createdAt: time.toISOString(), ...fields });

describe('The months of events', () => {
  it('are created with all indexes for the first event of each', async () => {
    const [one, two] = [ago(400), ago(800)];
    await scene.events.appended(scene.scanId, at(one), at(two), at(one));
    expect(await partitions()).toEqual(expect.arrayContaining([nameOf(one), nameOf(two)]));
    const count = async (table: string) =>
      (await scene.app.database.rows('SELECT FROM pg_indexes WHERE tablename = $1', [table])).length;
    expect(await count(nameOf(one))).toBe(await count('scan_events'));
  });

  it('are divided in UTC, to the millisecond', async () => {
    const last = new Date('2025-03-31T23:59:59.999Z');
    await scene.events.appended(
      scene.scanId,
      at(last),
      at(new Date('2025-04-01T00:00:00.000Z')),
      at(new Date('2025-03-01T00:00:00.000Z')),
    );
    const [row] = await scene.app.database.rows<{ march: number }>(
      'SELECT count(*)::int AS march FROM scan_events_2025_03',
    );
    expect(row?.march).toBe(2);
  });

  it('are created once when two nodes need them concurrently', async () => {
    const node = await scene.app.anotherNode();
    const there = new EventCalls(node, scene.acme.token);
    const times = Array.from({ length: 6 }, (_, index) => ago(1_000 + 40 * index));
    const batch = times.map((time) => at(time));
    const answers = await Promise.all(
      [1, 2, 3, 4].flatMap(() => [scene.events.append(scene.scanId, batch), there.append(scene.scanId, batch)]),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(201));
    const names = await partitions();
    expect(new Set(names).size).toBe(names.length);
  });

  it('are created while others read and write', async () => {
    const held = await HeldTransaction.open(scene.app.database, 'SELECT count(*) FROM scan_events');
    await scene.events.appended(scene.scanId, at(ago(3_000)));
    await held.commit();
    const title = 'read while it was made';
    await scene.events.appended(scene.scanId, at(ago(3_000), { title }));
    expect(await scene.events.titles(`search=${title}`)).toEqual([title]);
  });

  it('are dropped after the retention', async () => {
    const [young, old] = [ago(60), ago(150)];
    await scene.events.appended(
      scene.scanId,
      at(young, { title: 'kept for now' }),
      at(old, { title: 'over the retention' }),
    );
    await scene.app.nest.get(EventPartitionsService).dropExpired();
    expect(await scene.events.titles('search=kept for now')).toEqual(['kept for now']);
    expect(await scene.events.titles('search=over the retention')).toEqual([]);
    expect(await partitions()).toContain(nameOf(young));
    expect((await partitions()).filter((name) => name <= nameOf(old))).toEqual([]);
  });

  it('are kept until the end of their last day', async () => {
    const time = new Date('2026-02-10T00:00:00Z');
    await scene.events.appended(scene.scanId, at(time));
    const partitionsOf = scene.app.nest.get(EventPartitionsService);
    await partitionsOf.dropExpired(new Date(Date.parse('2026-03-01T00:00:00Z') + 100 * day - 1));
    expect(await partitions()).toContain('scan_events_2026_02');
    await partitionsOf.dropExpired(new Date(Date.parse('2026-03-01T00:00:00Z') + 100 * day));
    expect(await partitions()).not.toContain('scan_events_2026_02');
  });

  it('are created again after another node has dropped them', async () => {
    const time = ago(2_000);
    await scene.events.appended(scene.scanId, at(time));
    await scene.app.database.rows(`DROP TABLE ${nameOf(time)}`);
    expect(await scene.events.appended(scene.scanId, at(time), at(new Date()))).toEqual({ accepted: 2, ignored: 0 });
  });

  it('are not dropped while readers would have to wait for long', async () => {
    const time = ago(500);
    await scene.events.appended(scene.scanId, at(time));
    const held = await HeldTransaction.open(scene.app.database, `SELECT count(*) FROM ${nameOf(time)}`);
    await expect(scene.app.nest.get(EventPartitionsService).dropExpired()).rejects.toThrow(/lock timeout/);
    await held.commit();
    await scene.app.nest.get(EventPartitionsService).dropExpired();
    expect(await partitions()).not.toContain(nameOf(time));
  });
});

describe('POST /api/v1/scans/{id}/events, broken off', () => {
  it('writes nothing, and holds no database connection in the meantime', async () => {
    const scan = (await scene.acme.scan()).id;
    const url = new URL(`${scene.app.baseUrl}/api/v1/scans/${scan}/events`);
    const headers = { authorization: `Bearer ${scene.acme.token}`, 'content-type': 'application/x-ndjson' };
    const senders = Array.from({ length: 15 }, () => {
      const sender = request(url, { method: 'POST', headers });
      sender.on('error', () => undefined);
      for (let count = 0; count < 3_000; count++)
        sender.write(`${JSON.stringify(newEvent({ description: 'x'.repeat(200) }))}\n`);
      return sender;
    });
    await sleep(500);
    const idle = await scene.app.database.rows(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
    );
    expect(idle).toEqual([]);
    expect(await scene.events.appended(scan, newEvent({ title: 'beside' }))).toEqual({ accepted: 1, ignored: 0 });
    for (const sender of senders) sender.destroy();
    await sleep(300);
    expect(await scene.events.titles(`scanIds=${scan}`)).toEqual(['beside']);
  });
});
