import { describe, expect, it } from '@jest/globals';
import {
  activitiesOf,
  changed,
  type Changer,
  hasChanged,
  isSame,
  type IssueState,
} from '../../../../src/scanning/issues/issue-state.js';

const open: IssueState = {
  id: 'issue',
  status: 'OPEN',
  statusSetBy: null,
  severity: 'HIGH',
  severitySetBy: null,
  toolSeverity: 'HIGH',
  assigneeId: null,
  dueAt: null,
  acceptedUntil: null,
  acceptedReason: null,
  acceptedBy: null,
  acceptedByKey: null,
  externalUrl: null,
};
const user: Changer = { kind: 'USER', userId: 'maria', keyName: null };
const key: Changer = { kind: 'API_KEY', userId: null, keyName: 'pipeline' };
const day = '2026-12-24T00:00:00.000Z';
const until = new Date(day);
const accepted: IssueState = {
  ...open,
  status: 'IGNORED',
  statusSetBy: 'USER',
  acceptedUntil: until,
  acceptedReason: 'not reachable',
  acceptedBy: 'maria',
};
const kindsOf = (before: IssueState, after: IssueState, comment?: string) =>
  activitiesOf(before, after, comment).map(({ kind }) => kind);

describe('changed', () => {
  it('takes what is given, and leaves the rest', () => {
    const changes = { assigneeId: 'AB-CD', dueAt: day, externalUrl: 'https://tickets.example.com/1' };
    expect(changed(open, changes, user)).toEqual({
      ...open,
      assigneeId: 'ab-cd',
      dueAt: until,
      externalUrl: 'https://tickets.example.com/1',
    });
    const full = changed(open, changes, user);
    expect(changed(full, {}, user)).toEqual(full);
    expect(changed(full, { assigneeId: null, dueAt: null, externalUrl: null }, user)).toEqual(open);
  });

  it('notes who set the status and the severity, also to what it was', () => {
    expect(changed(open, { status: 'OPEN', severity: 'HIGH' }, key)).toEqual({
      ...open,
      statusSetBy: 'API_KEY',
      severitySetBy: 'API_KEY',
    });
  });

  it('gives the severity back to the scanner', () => {
    const own = { ...open, severity: 'LOW', severitySetBy: 'USER' } as const;
    expect(changed(own, { severity: null }, user)).toEqual(open);
  });
});

describe('An acceptance', () => {
  it('has an end, a reason, and who accepted', () => {
    const changes = { status: 'IGNORED', acceptedUntil: day, acceptedReason: 'not reachable' } as const;
    expect(changed(open, changes, user)).toEqual(accepted);
    expect(changed(open, changes, key)).toMatchObject({ acceptedBy: null, acceptedByKey: 'pipeline' });
  });

  it('takes the comment for its reason where it is new and none is given', () => {
    const after = changed(open, { status: 'IGNORED', comment: 'never runs' }, user);
    expect(after).toMatchObject({ acceptedReason: 'never runs', acceptedUntil: null, acceptedBy: 'maria' });
    expect(changed(accepted, { comment: 'still so' }, key)).toEqual(accepted);
    expect(changed(accepted, { status: 'IGNORED', comment: 'still so' }, key)).toMatchObject({
      acceptedReason: 'not reachable',
      acceptedBy: 'maria',
    });
    expect(changed(open, { status: 'IGNORED', comment: 'a', acceptedReason: null }, user).acceptedReason).toBeNull();
  });

  it('belongs to whoever changed its end or its reason last', () => {
    const later = '2027-01-01T00:00:00.000Z';
    expect(changed(accepted, { acceptedUntil: later }, key)).toMatchObject({
      acceptedUntil: new Date(later),
      acceptedReason: 'not reachable',
      acceptedBy: null,
      acceptedByKey: 'pipeline',
    });
    expect(changed(accepted, { acceptedUntil: null }, key)).toMatchObject({
      acceptedUntil: null,
      acceptedByKey: 'pipeline',
    });
    expect(changed(accepted, { acceptedReason: 'moved' }, key)).toMatchObject({
      acceptedUntil: until,
      acceptedReason: 'moved',
      acceptedByKey: 'pipeline',
    });
    expect(changed(accepted, { acceptedUntil: day, acceptedReason: 'not reachable' }, key)).toEqual(accepted);
  });

  it('ends with the status', () => {
    expect(changed(accepted, { status: 'OPEN' }, user)).toEqual({ ...open, statusSetBy: 'USER' });
    expect(changed(open, { acceptedUntil: day, acceptedReason: 'why' }, user)).toEqual(open);
  });
});

describe('hasChanged and isSame', () => {
  it('tell a change from one of who set it alone', () => {
    const retold = { ...open, statusSetBy: 'USER' } as const;
    expect([hasChanged(open, open), isSame(open, open)]).toEqual([false, true]);
    expect([hasChanged(open, retold), isSame(open, retold)]).toEqual([false, false]);
    expect([
      hasChanged(open, { ...open, severitySetBy: 'USER' }),
      isSame(open, { ...open, severitySetBy: 'USER' }),
    ]).toEqual([false, false]);
    expect([hasChanged(open, accepted), isSame(open, accepted)]).toEqual([true, false]);
    expect(hasChanged(open, { ...open, status: 'RESOLVED' })).toBe(true);
  });
});

describe('activitiesOf', () => {
  it('has one for each change, the first with the comment', () => {
    const after = {
      ...open,
      status: 'RESOLVED',
      severity: 'LOW',
      assigneeId: 'maria',
      dueAt: until,
      externalUrl: 'https://a.example',
    } as const;
    expect(activitiesOf(open, after, 'done')).toEqual([
      { issueId: 'issue', kind: 'STATUS', from: 'OPEN', to: 'RESOLVED', comment: 'done' },
      { issueId: 'issue', kind: 'SEVERITY', from: 'HIGH', to: 'LOW' },
      { issueId: 'issue', kind: 'ASSIGNEE', from: null, to: 'maria' },
      { issueId: 'issue', kind: 'DUE_DATE', from: null, to: day },
      { issueId: 'issue', kind: 'LINK', from: null, to: 'https://a.example' },
    ]);
    expect(activitiesOf(open, { ...open, status: 'RESOLVED' })).toStrictEqual([
      { issueId: 'issue', kind: 'STATUS', from: 'OPEN', to: 'RESOLVED' },
    ]);
  });

  it('has a comment without a change by itself, and nothing for nothing', () => {
    expect(activitiesOf(open, open, 'look')).toEqual([
      { issueId: 'issue', kind: 'COMMENT', from: null, to: null, comment: 'look' },
    ]);
    expect(activitiesOf(open, open)).toEqual([]);
  });

  it('tells that the severity was taken from the scanner, or given back, at the same value', () => {
    const own = { ...open, severitySetBy: 'USER' } as const;
    expect(kindsOf(open, own)).toEqual(['SEVERITY']);
    expect(kindsOf(own, open)).toEqual(['SEVERITY']);
    expect(kindsOf(own, { ...open, severitySetBy: 'API_KEY' })).toEqual([]);
    expect(kindsOf(open, { ...own, severity: 'LOW' })).toEqual(['SEVERITY']);
  });

  it('tells an acceptance with its reason, beside the status', () => {
    expect(activitiesOf(open, accepted, 'see ticket')).toEqual([
      { issueId: 'issue', kind: 'STATUS', from: 'OPEN', to: 'IGNORED', comment: 'see ticket' },
      { issueId: 'issue', kind: 'ACCEPTANCE', from: null, to: day, comment: 'not reachable' },
    ]);
    const bare = { ...accepted, acceptedUntil: null, acceptedReason: null };
    expect(kindsOf(open, bare)).toEqual(['STATUS']);
    expect(kindsOf(open, { ...bare, acceptedReason: 'why' }, 'why')).toEqual(['STATUS']);
    expect(kindsOf(open, { ...bare, acceptedReason: 'why' }, 'other')).toEqual(['STATUS', 'ACCEPTANCE']);
    expect(kindsOf(open, accepted, 'not reachable')).toEqual(['STATUS', 'ACCEPTANCE']);
    expect(kindsOf(accepted, bare)).toEqual(['ACCEPTANCE']);
    expect(kindsOf(bare, accepted)).toEqual(['ACCEPTANCE']);
    expect(kindsOf(accepted, { ...open, status: 'OPEN' })).toEqual(['STATUS']);
    expect(kindsOf(accepted, { ...accepted, acceptedReason: 'moved' })).toEqual(['ACCEPTANCE']);
  });
});
