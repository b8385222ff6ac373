import { beforeEach, describe, expect, it } from '@jest/globals';
import { broken, Story } from '../story.js';

const admin = { client: 'admin', token: 'admin' };

let story: Story;
let entry: Record<string, unknown>;
let made: number;
beforeEach(() => {
  story = new Story();
  made = story.ask('POST', '/admin/coupons', { ...admin, requestId: 'r1' }, 201, { id: 3 });
  entry = {
    id: 'e1',
    action: 'coupon.created',
    request_id: 'r1',
    actor: { kind: 'user', id: 'u', name: 'admin' },
    subject: { type: 'coupon', id: '3' },
    changes: {},
  };
});

async function judged(...entries: object[]) {
  story.atEnd('/admin/audit', { data: entries, next_cursor: null });
  return broken(await story.judged());
}

describe('the audit log', () => {
  it('has an entry for each change', async () => {
    expect(await judged(entry)).toEqual([]);
  });

  it('finds one that is missing, and one that is there twice', async () => {
    expect(await judged()).toEqual([['audit/complete', made]]);
    expect(await judged(entry, { ...entry, id: 'e2' })).toEqual([['audit/once', made]]);
  });

  it('finds an entry of what was refused, but for what tells of the refusal', async () => {
    const refused = story.ask('DELETE', '/admin/coupons/3', { ...admin, requestId: 'r2' }, 404, {
      detail: 'No.',
      code: 'not_found',
    });
    story.ask('POST', '/auth/login', { requestId: 'r3' }, 401, { detail: 'No.', code: 'wrong_credentials' });
    const failed = { ...entry, id: 'e3', action: 'user.login_failed', request_id: 'r3' };
    expect(await judged(entry, failed)).toEqual([]);
    expect(await judged(entry, failed, { ...entry, id: 'e2', request_id: 'r2', action: 'coupon.deleted' })).toEqual([
      ['audit/nothing-else', refused],
    ]);
  });

  it('has an entry of what was answered with another page', async () => {
    story.ask('POST', '/payments/demo/x', { requestId: 'r2' }, 303);
    expect(await judged(entry, { ...entry, id: 'e2', request_id: 'r2', action: 'order.payment_recorded' })).toEqual([]);
  });

  it('stays as it was, but for names', async () => {
    story.ask('GET', '/admin/audit', admin, 200, { data: [entry] });
    expect(await judged({ ...entry, actor: { kind: 'user', id: 'u', name: null } })).toEqual([]);
    expect(await judged({ ...entry, changes: { code: { from: 'A', to: 'B' } } })).toEqual([['audit/final', made + 1]]);
    expect(await judged({ ...entry, id: 'other' })).toEqual([['audit/final', made + 1]]);
  });

  it('has those of an organization in its own', async () => {
    story.ask('POST', '/organizations', admin, 201, { id: 'o' });
    const n = story.ask(
      'POST',
      '/integrations',
      { ...admin, headers: { 'x-organization-id': 'o' }, requestId: 'r9' },
      201,
      { id: 'i' },
    );
    const own = {
      id: 'x',
      action: 'integration.created',
      requestId: 'r9',
      actor: {},
      subject: { id: 'i' },
      changes: {},
    };
    story.atEnd('/organizations/o/audit', { data: [own], nextCursor: null });
    expect(await judged(entry)).toEqual([]);
    story.atEnd('/organizations/o/audit', { data: [], nextCursor: null });
    expect(await judged(entry)).toEqual([['audit/complete', n]]);
  });
});
