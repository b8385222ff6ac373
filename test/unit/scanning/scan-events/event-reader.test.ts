import { setImmediate as tick } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { jsonElements } from '../../../../src/platform/http/json-elements.js';
import { readEvents } from '../../../../src/scanning/scan-events/event-reader.js';
import { EventReferences } from '../../../../src/scanning/scan-events/event-references.js';
import type { EventRow } from '../../../../src/scanning/scan-events/event-rows.js';
import { SpoolFile } from '../../../../src/scanning/spool-file.js';

const count = 200_000;
const scan = { id: 's', organizationId: 'o', profileId: 'p', assetIds: [] };
const nothingForeign = { foreign: async () => null };

function line(at: number): string {
  return `${JSON.stringify({ title: `Event ${at}`, description: 'd'.repeat(200), level: 'INFO', stage: 'EXECUTION' })}\n`;
}

/** The body as it arrives, generated on demand. */
async function* body(): AsyncGenerator<Buffer> {
  for (let at = 0; at < count; at += 200) {
    yield Buffer.from(Array.from({ length: 200 }, (_, more) => line(at + more)).join(''));
    await tick();
  }
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** The memory in use, in MiB. */
function inUse(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 2 ** 20;
}

describe('readEvents', () => {
  it('keeps only a small part of 200,000 events in memory, and spools all of them in order', async () => {
    const spool = new SpoolFile({ memoryBytes: 2 ** 20 });
    const before = inUse();
    let peak = before;
    let groups = 0;
    const elements = jsonElements(body(), 'lines', 2 ** 20);
    async function* watched(): typeof elements {
      for await (const group of elements) {
        if (++groups % 100 === 0) peak = Math.max(peak, inUse());
        yield group;
      }
    }
    const read = await readEvents(watched(), scan, new EventReferences(nothingForeign, scan), spool);
    expect(read).toMatchObject({ count, times: [expect.any(Date)] });
    // The body has 55 MiB, its rows 80.
    expect(groups).toBeGreaterThan(900);
    expect(peak - before).toBeLessThan(12);
    let next = 0;
    for await (const batches of spool.lines()) {
      const rows = batches.flatMap((batch) => JSON.parse(batch.toString()) as EventRow[]);
      for (const { title } of rows) if (title === `Event ${next}`) next++;
    }
    expect(next).toBe(count);
    await spool.close();
  });
});
