import { beforeEach, describe, expect, it } from '@jest/globals';
import { broken, Story } from '../story.js';

const scanner = { client: 'scanner', token: 'key' };

let story: Story;
beforeEach(() => {
  story = new Story();
});

function append(ids: string[], accepted = ids.length, ignored = 0): number {
  return story.ask('POST', '/scans/s/events', { ...scanner, body: ids.map((id) => ({ id, title: 'Hello' })) }, 201, {
    accepted,
    ignored,
  });
}

function follow(after: string | undefined, ids: string[], nextCursor: string, more = false): number {
  const path = `/events/arrivals${after === undefined ? '' : `?after=${after}`}`;
  return story.ask('GET', path, { client: 'follower', token: 'key' }, 200, {
    data: ids.map((id) => ({ id })),
    nextCursor,
    more,
  });
}

describe('events of scans', () => {
  it('come once to each follower, and are stored once', async () => {
    follow(undefined, [], 'c0');
    append(['a', 'b']);
    append(['b', 'c'], 1, 1);
    follow('c0', ['a', 'b'], 'c1', true);
    follow('c1', ['c'], 'c2');
    follow('c2', [], 'c2');
    expect(await story.judged()).toEqual([]);
  });

  it('finds a gap', async () => {
    follow(undefined, [], 'c0');
    const appended = append(['a', 'b']);
    const n = follow('c0', ['b'], 'c1');
    const violations = await story.judged();
    expect(broken(violations)).toEqual([['scan-events/no-gap', n]]);
    expect(violations[0]!.message).toContain(`Event a was appended by entry ${appended}`);
  });

  it('finds an event that comes twice', async () => {
    follow(undefined, [], 'c0');
    append(['a', 'b']);
    follow('c0', ['a', 'b'], 'c1');
    const n = follow('c1', ['b'], 'c2');
    expect(broken(await story.judged())).toEqual([['scan-events/follower-once', n]]);
  });

  it('finds events that were stored twice, or not counted', async () => {
    append(['a', 'b']);
    const twice = append(['b'], 1, 0);
    const uncounted = append(['c'], 0, 0);
    expect(broken(await story.judged())).toEqual([
      ['scan-events/once', twice],
      ['scan-events/counted', uncounted],
    ]);
  });

  it('lets a request without an answer have stored them, or not', async () => {
    story.ask('POST', '/scans/s/events', { ...scanner, body: [{ id: 'a' }] }, 'lost');
    append(['a'], 1, 0);
    append(['a'], 0, 1);
    expect(await story.judged()).toEqual([]);
  });
});

describe('scans', () => {
  const see = (status: string, progressRatio: number) =>
    story.ask('GET', '/scans/s', scanner, 200, { id: 's', status, progressRatio });

  it('go forward, to a final status', async () => {
    see('STARTING', 0);
    see('RUNNING', 0.5);
    see('FINISHED', 1);
    expect(await story.judged()).toEqual([]);
    const n = see('RUNNING', 0.9);
    expect(broken(await story.judged())).toEqual([['scans/transition', n]]);
  });

  it('finds one that is finished and not done', async () => {
    const n = see('FINISHED', 0.5);
    expect(broken(await story.judged())).toEqual([['scans/progress', n]]);
  });
});
