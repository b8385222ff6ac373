import { describe, expect, it } from '@jest/globals';
import { type Finding, maxTargets, toRows } from '../../../../src/scanning/issues/finding-rows.js';

function finding(targetUids: string[], visits = 1): Finding {
  return {
    name: 'Name',
    severity: 'LOW',
    category: 'CUSTOM',
    context: '',
    assetId: '01920000-0000-7000-8000-000000000001',
    fingerprint: 'one',
    targets: targetUids.map((targetUid) => ({ targetUid, webPage: { url: targetUid, visits } })),
  };
}

const uids = (count: number) => Array.from({ length: count }, (_, at) => `https://shop.example/${at}`);

/** The pages of the only row, with their visits. */
function pagesOf(...findings: Finding[]) {
  const { rows, targetsCut } = toRows(findings);
  const [row, ...more] = rows;
  expect(more).toEqual([]);
  expect(row?.targets.every(({ issue_id }) => issue_id === row.row.id)).toBe(true);
  const pages = row?.targets.map(({ target_uid, detail }) => [
    target_uid,
    (detail['webPage'] as { visits: number }).visits,
  ]);
  return { pages, targetsCut };
}

describe('The targets of findings of one identity', () => {
  it.each([1, 7, 8, 9, 30])('are each once, in their first order and with the newest detail: %i of them', (count) => {
    const again = uids(count).reverse();
    const { pages, targetsCut } = pagesOf(finding(uids(count)), finding(again, 2), finding(['https://shop.example/x']));
    expect(pages).toEqual([...uids(count).map((uid) => [uid, 2]), ['https://shop.example/x', 1]]);
    expect(targetsCut).toBe(0);
  });

  it('are the first ones up to the most that an issue keeps, which are known beyond it too', () => {
    const { pages, targetsCut } = pagesOf(finding(uids(maxTargets + 3)), finding(uids(2), 2));
    expect(pages).toHaveLength(maxTargets);
    expect(pages?.slice(0, 3).map(([, visits]) => visits)).toEqual([2, 2, 1]);
    expect(targetsCut).toBe(3);
  });

  it('are in the statement as they are in the row', () => {
    const [row] = toRows([finding(uids(3))]).rows;
    expect(JSON.parse(`[${row?.targetsJson}]`)).toEqual(row?.targets);
    expect(JSON.parse(row?.rowJson ?? '')).toEqual(row?.row);
  });
});
