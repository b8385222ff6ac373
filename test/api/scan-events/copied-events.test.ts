import { describe, expect, it } from '@jest/globals';
import { UnitOfWork } from '../../../src/database/unit-of-work.js';
import { EventAppendsService } from '../../../src/scanning/scan-events/event-appends.service.js';
import { beginLine, endLine } from '../../../src/scanning/scan-events/event-line.js';
import { EventPartitionsService } from '../../../src/scanning/scan-events/event-partitions.service.js';
import { toEventRow } from '../../../src/scanning/scan-events/event-rows.js';
import { EventTally } from '../../../src/scanning/scan-events/event-tally.js';
import { ScansService } from '../../../src/scanning/scans/scans.service.js';
import { Imports, sarifLog, sarifResult } from '../../support/report-imports.js';
import { eventScene } from './event-scene.js';

const scene = eventScene();
const counted = () =>
  scene.app.database.rows<{ hour: Date; count: string }>(
    'SELECT hour, sum(count) AS count FROM scan_event_counts WHERE organization_id = $1 GROUP BY hour ORDER BY hour',
    [scene.acme.organization.id],
  );

describe('Events that are copied into the partitions of their months', () => {
  it('are counted, reach followers and are listed, also those of two months in one unit of work', async () => {
    const { nest } = scene.app;
    const appends = nest.get(EventAppendsService);
    const cursor = (await scene.events.arrivals('')).nextCursor;
    const scan = await nest.get(ScansService).contextOf(scene.acme.organization.id, scene.scanId);
    const monthBegin = new Date(new Date().toISOString().slice(0, 7));
    const times = [new Date(monthBegin.getTime() - 1), monthBegin];
    await nest.get(EventPartitionsService).prepare(times);
    await nest.get(UnitOfWork).run(async () => {
      const tally = new EventTally();
      for (const time of times) {
        const event = { title: 'Copied', description: '', level: 'INFO', stage: 'EXECUTION', createdAt: time } as const;
        const row = toEventRow(scan, event, 0);
        tally.add(row);
        expect(await appends.copy(time, [endLine(beginLine(scan, row), scene.scanId)])).toBe(1);
      }
      await appends.endCopy(scan.organizationId, tally);
    });

    const hour = (time: Date) => new Date(Math.floor(time.getTime() / 3_600_000) * 3_600_000);
    expect(await counted()).toEqual(times.map((time) => ({ hour: hour(time), count: '1' })));
    const arrived = (await scene.events.arrivals(`after=${cursor}`)).data;
    expect(arrived.map(({ createdAt }) => createdAt)).toEqual(times.map((time) => time.toISOString()));
    expect((await scene.events.list('')).data).toHaveLength(2);
    const [row] = await scene.app.database.rows('SELECT count(DISTINCT tableoid) AS partitions FROM scan_events');
    expect(row).toEqual({ partitions: '2' });
  });

  it('are all that a report has, with those before and after it', async () => {
    const cursor = (await scene.events.arrivals('')).nextCursor;
    const before = (await counted()).reduce((sum, { count }) => sum + Number(count), 0);
    const results = Array.from({ length: 60 }, (_, at) => sarifResult(`R${at}`));
    await new Imports(scene.app.api, scene.acme.token).import(sarifLog(results));
    const after = (await counted()).reduce((sum, { count }) => sum + Number(count), 0);
    expect(after - before).toBe(results.length + 2);
    expect((await scene.events.arrivals(`after=${cursor}&size=100`)).data).toHaveLength(results.length + 2);
  });
});
