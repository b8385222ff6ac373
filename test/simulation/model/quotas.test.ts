import { beforeEach, describe, expect, it } from '@jest/globals';
import { broken, Story } from '../story.js';

let story: Story;
let token: string;
beforeEach(() => {
  story = new Story();
  token = story.signIn('ada');
});

const refused = { detail: 'You have 10 addresses (quota addresses): delete one.', code: 'quota_exceeded' };

function addAddress(): number {
  return story.ask('POST', '/users/me/addresses', { token }, 201, { id: 1 });
}

describe('quotas', () => {
  it('let ten addresses be held, and refuse the eleventh', async () => {
    for (let count = 0; count < 10; count++) addAddress();
    story.ask('POST', '/users/me/addresses', { token }, 403, refused);
    story.ask('DELETE', '/users/me/addresses/1', { token }, 204);
    addAddress();
    expect(await story.judged()).toEqual([]);
    const n = addAddress();
    const violations = await story.judged();
    expect(broken(violations)).toEqual([['quotas/limit', n]]);
    expect(violations[0]!.message).toBe('ada held 10 of addresses, of which 10 are allowed: expected a 403');
  });

  it('refuse nobody who is far from them', async () => {
    addAddress();
    const n = story.ask('POST', '/users/me/addresses', { token }, 403, refused);
    expect(broken(await story.judged())).toEqual([['quotas/too-early', n]]);
  });

  it('count what is done within a time', async () => {
    const ask = () => story.ask('GET', '/users/me/export', { token }, 200, {});
    for (let count = 0; count < 20; count++) ask();
    expect(await story.judged()).toEqual([]);
    const n = ask();
    expect(broken(await story.judged())).toEqual([['quotas/limit', n]]);
  });

  it('say how long to wait', async () => {
    const n = story.ask('GET', '/users/me/export', { token }, 429, {
      detail: 'Wait (exports).',
      code: 'rate_exceeded',
    });
    expect(broken(await story.judged())).toEqual([
      ['quotas/too-early', n],
      ['quotas/retry-after', n],
    ]);
  });
});
