import { beforeEach, describe, expect, it } from '@jest/globals';
import { broken, Story } from '../story.js';

const admin = { client: 'admin', token: 'admin' };
const day = 86_400_000;

let story: Story;
beforeEach(() => {
  story = new Story();
  // The clock goes in steps that leave time for what runs once a day.
  for (let step = 0; step < 8; step++) {
    story.ask('GET', '/shop', {}, 200, {});
    story.later(day / 4);
  }
});

function ago(days: number): string {
  return new Date(Date.parse(story.now) - days * day).toISOString();
}

describe('retention', () => {
  it('lets go what is old', async () => {
    story.ask('GET', '/admin/webhooks/w/deliveries', admin, 200, { data: [{ created_at: ago(29) }] });
    expect(await story.judged()).toEqual([]);
    const n = story.ask('GET', '/admin/webhooks/w/deliveries', admin, 200, { data: [{ created_at: ago(33) }] });
    const violations = await story.judged();
    expect(broken(violations)).toEqual([['retention/goes', n]]);
    expect(violations[0]!.message).toContain('Deliveries of the shop are kept for 32 days at most');
  });

  it('is judged at the end, too', async () => {
    story.atEnd('/admin/requests', { data: [{ at: ago(3) }], next_cursor: null });
    expect(broken(await story.judged())).toEqual([['retention/goes', undefined]]);
  });

  it('closes branches that nobody scans, and forgets closed ones', async () => {
    const branch = { name: 'feature', default: false, lastScannedAt: ago(20), closedAt: null };
    story.ask('GET', '/branches', admin, 200, { data: [branch] });
    expect(await story.judged()).toEqual([]);
    const open = story.ask('GET', '/branches', admin, 200, { data: [{ ...branch, lastScannedAt: ago(33) }] });
    const kept = story.ask('GET', '/branches', admin, 200, {
      data: [{ ...branch, lastScannedAt: ago(70), closedAt: ago(40) }],
    });
    expect(broken(await story.judged())).toEqual([
      ['retention/branch-closes', open],
      ['retention/goes', kept],
    ]);
  });

  it('waits for its tasks after a jump of the clock', async () => {
    story.later(40 * day);
    story.ask('GET', '/admin/webhooks/w/deliveries', admin, 200, { data: [{ created_at: ago(41) }] });
    expect(await story.judged()).toEqual([]);
  });
});
