import { describe, expect, it } from '@jest/globals';
import { uuidV7At } from '../../../src/platform/crypto/uuid-v7.js';
import { OrganizationRemovals } from '../../../src/platform/removal-steps.js';
import { UnitOfWork } from '../../../src/database/unit-of-work.js';
import type { EventHistogram } from '../../../src/scanning/scan-events/event-histogram.dto.js';
import { EventPartitionsService } from '../../../src/scanning/scan-events/event-partitions.service.js';
import { eventLevels } from '../../../src/scanning/vocabulary.js';
import { appending } from '../../support/appending.js';
import { EventCalls, newEvent } from '../../support/events.js';
import { HeldTransaction } from '../../support/held-transaction.js';
import { eventScene } from './event-scene.js';

const day = 86_400_000;
const scene = eventScene({ env: { EVENT_RETENTION_DAYS: '100' } });

/** The hours and levels whose count differs from their events. */
const untrue = () =>
  scene.app.database.rows(
    `SELECT * FROM (SELECT organization_id, date_trunc('hour', created_at, 'UTC') AS hour, level, count(*) AS due
                      FROM scan_events GROUP BY 1, 2, 3) AS events
       FULL JOIN (SELECT organization_id, hour, level, sum(count) AS counted
                    FROM scan_event_counts GROUP BY 1, 2, 3) AS counts USING (organization_id, hour, level)
      WHERE due IS DISTINCT FROM counted`,
  );

async function total(): Promise<number> {
  const query = `interval=day&from=${new Date(Date.now() - 900 * day).toISOString()}`;
  const path = `/api/v1/events/histogram?${query}`;
  const { body } = await scene.app.api.get<EventHistogram>(path, { token: scene.acme.token });
  return body.buckets.reduce((sum, bucket) => sum + bucket.total, 0);
}

const hours = [0, 1, 24, 60 * 24, 61 * 24, 150 * 24];
const random = (n: number) => Math.floor(Math.random() * n);

const ids = new Map<string, string>();

function idOf(time: Date, n: number): string {
  const key = `${time.getTime()} ${n}`;
  const id = ids.get(key) ?? uuidV7At(time, n);
  ids.set(key, id);
  return id;
}

/** Events of several hours in any order, whose ids come from a small set and so repeat. */
function batch(): object[] {
  return Array.from({ length: 1 + random(40) }, () => {
    const time = new Date(Math.floor(Date.now() / day) * day - (hours[random(hours.length)] ?? 0) * 3_600_000);
    const id = idOf(time, random(25));
    return { ...newEvent(), id, createdAt: time.toISOString(), level: eventLevels[random(eventLevels.length)] };
  });
}

describe('The counts of events by hour and level', () => {
  it('match the events after concurrent appends on two nodes with repeated ids, and after merging', async () => {
    const there = new EventCalls(await scene.app.anotherNode(), scene.acme.token);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? scene.events : there).append(scene.scanId, batch())),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201));
    const ignored = answers.reduce((sum, { body }) => sum + body.ignored, 0);
    expect(ignored).toBeGreaterThan(0);
    const accepted = answers.reduce((sum, { body }) => sum + body.accepted, 0);
    expect([await untrue(), await total()]).toEqual([[], accepted]);

    await scene.app.nest.get(EventPartitionsService).mergeCounts(new Date(Date.now() + day));
    const apart = 'SELECT FROM scan_event_counts WHERE backend <> 0';
    expect(await scene.app.database.rows(apart)).toEqual([]);
    await Promise.all([1, 2, 3, 4].map(() => scene.events.append(scene.scanId, batch())));
    await scene.app.nest.get(EventPartitionsService).mergeCounts(new Date(Date.now() + day));
    expect([await untrue(), await scene.app.database.rows(apart)]).toEqual([[], []]);
  });

  it('block nobody while a transaction that adds events is open, and are right once it ends', async () => {
    const held = await HeldTransaction.open(scene.app.database, ...appending(scene.scanId, 'Held'));
    await scene.events.appended(scene.scanId, newEvent());
    await scene.app.nest.get(EventPartitionsService).mergeCounts(new Date(Date.now() + day));
    expect(await untrue()).toEqual([]);
    await held.commit();
    expect(await untrue()).toEqual([]);
  });

  it('are dropped with their months', async () => {
    const before = await total();
    const old = new Date(Date.now() - 150 * day);
    await scene.events.appended(scene.scanId, newEvent({ createdAt: old.toISOString() }));
    await scene.app.nest.get(EventPartitionsService).dropExpired();
    expect(await untrue()).toEqual([]);
    expect(await total()).toBeLessThan(before);
    expect(await total()).toBeGreaterThan(0);
  });

  it('are deleted with their organization, and no other', async () => {
    const { acme, app, other } = scene;
    await new EventCalls(app, other.token).appended((await other.scan()).id, newEvent());
    const { id } = acme.organization;
    await app.nest.get(UnitOfWork).run(() => app.nest.get(OrganizationRemovals).run([id]));
    expect(await untrue()).toEqual([]);
    const rows = await app.database.rows('SELECT DISTINCT organization_id AS id FROM scan_event_counts');
    expect(rows).toEqual([{ id: other.organization.id }]);
  });
});
