import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type ListedPage, type ListedScan, withChange } from '../../../src/scanning/scans/scan-pages.js';

const statuses = ['RUNNING', 'FINISHED', 'FAILED'];

function scanOf(at: number, status: string): ListedScan {
  // Some begin at the same moment.
  const createdAt = new Date(Math.floor(at / 2) * 1_000).toISOString();
  return { id: `${at}`.padStart(3, '0'), createdAt, status, kind: 'SAST', applicationId: 'shop' };
}

/** The first pages of a list, as the service returns them. */
function pagesOf(scans: ListedScan[], asked: string[], size: number, count: number): ListedPage<ListedScan>[] {
  const listed = scans.filter(({ status }) => asked.includes(status)).toSorted((a, b) => (a.id < b.id ? 1 : -1));
  const pages: ListedPage<ListedScan>[] = [];
  for (let at = 0; pages.length < count; at += size) {
    const isLast = at + size >= listed.length;
    pages.push({ data: listed.slice(at, at + size), nextCursor: isLast ? null : 'more' });
    if (isLast) break;
  }
  return pages;
}

const idsOf = (pages: ListedPage<ListedScan>[]) => pages.flatMap(({ data }) => data.map(({ id }) => id));

describe('A list of scans after a change', () => {
  it('equals what would be listed now, as far as its pages reach', () => {
    const changes = fc.array(fc.tuple(fc.nat(40), fc.constantFrom(...statuses)), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(changes, changes, fc.subarray(statuses, { minLength: 1 }), (before, after, asked) => {
        const scans = new Map(before.map(([at, status]) => [at, scanOf(at, status)]));
        let pages = pagesOf([...scans.values()], asked, 5, 2);
        const oldest = pages.at(-1)?.nextCursor === null ? '' : (idsOf(pages).at(-1) ?? '');
        for (const [at, status] of after) {
          const scan = scanOf(at, status);
          scans.set(at, scan);
          pages = withChange(pages, { statuses: asked }, scan);
        }
        const now = idsOf(pagesOf([...scans.values()], asked, 100, 1)).filter((id) => id > oldest);
        expect(idsOf(pages).filter((id) => id > oldest)).toEqual(now);
      }),
      { numRuns: 1_000 },
    );
  });

  it('keeps its oldest scan when that changes, leaves and comes back', () => {
    const scans = Array.from({ length: 11 }, (_, at) => scanOf(at, 'RUNNING'));
    const running = { statuses: ['RUNNING'] };
    let pages = pagesOf(scans, running.statuses, 5, 2);
    const before = idsOf(pages);
    for (const at of [1, 2, 6]) pages = withChange(pages, running, scanOf(at, 'RUNNING'));
    expect(idsOf(pages)).toEqual(before);
    for (const at of [1, 2, 6]) pages = withChange(pages, running, scanOf(at, 'FINISHED'));
    expect(idsOf(pages)).toHaveLength(7);
    for (const at of [1, 2, 6]) pages = withChange(pages, running, scanOf(at, 'RUNNING'));
    expect(idsOf(pages)).toEqual(before);
  });
});
