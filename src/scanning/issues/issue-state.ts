import type { IssueSeverity, IssueStatus } from '../vocabulary.js';
import type { Actor, NewActivity } from './issue-activities.repository.js';
import type { IssueChanges } from './issue-triage.dto.js';
import type { Person } from './issues.dto.js';

/** What people decide about an issue. */
export interface IssueState {
  id: string;
  status: IssueStatus;
  statusSetBy: Person | null;
  severity: IssueSeverity;
  severitySetBy: Person | null;
  /** The severity that the newest scan gave. */
  toolSeverity: IssueSeverity;
  assigneeId: string | null;
  dueAt: Date | null;
  acceptedUntil: Date | null;
  acceptedReason: string | null;
  acceptedBy: string | null;
  acceptedByKey: string | null;
  externalUrl: string | null;
}

/** Who changes it. */
export type Changer = Actor & { kind: Person };

const notAccepted = { acceptedUntil: null, acceptedReason: null, acceptedBy: null, acceptedByKey: null };

function timeOf(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}

/** The issue after the changes. Setting the present value again still changes who set it. */
export function changed(before: IssueState, changes: IssueChanges, by: Changer): IssueState {
  const { status, severity, assigneeId, dueAt, externalUrl } = changes;
  const after = { ...before };
  if (status !== undefined) Object.assign(after, { status, statusSetBy: by.kind });
  if (severity === null) Object.assign(after, { severity: before.toolSeverity, severitySetBy: null });
  else if (severity !== undefined) Object.assign(after, { severity, severitySetBy: by.kind });
  if (assigneeId !== undefined) after.assigneeId = assigneeId?.toLowerCase() ?? null;
  if (dueAt !== undefined) after.dueAt = timeOf(dueAt);
  if (externalUrl !== undefined) after.externalUrl = externalUrl;
  if (after.status !== 'IGNORED') return { ...after, ...notAccepted };
  return { ...after, ...acceptanceAfter(before, changes, by) };
}

/** The acceptance of an issue that is IGNORED. Unspecified: what is its reason without one: the comment of the change. */
function acceptanceAfter(
  before: IssueState,
  { status, comment, acceptedUntil, acceptedReason }: IssueChanges,
  by: Changer,
): Partial<IssueState> {
  const until = acceptedUntil === undefined ? before.acceptedUntil : timeOf(acceptedUntil);
  const isNew = status === 'IGNORED' && before.status !== 'IGNORED';
  const given = acceptedReason === undefined && isNew ? comment : acceptedReason;
  const reason = given === undefined ? before.acceptedReason : given;
  const stays = !isNew && sameTime(until, before.acceptedUntil) && reason === before.acceptedReason;
  if (stays) return {};
  return { acceptedUntil: until, acceptedReason: reason, acceptedBy: by.userId, acceptedByKey: by.keyName };
}

function sameTime(one: Date | null, other: Date | null): boolean {
  return one?.getTime() === other?.getTime();
}

/** Whether anything changed that others want to know. */
export function hasChanged(before: IssueState, after: IssueState): boolean {
  return movesOf(before, after).length > 0;
}

/** Whether there is nothing to write. */
export function isSame(before: IssueState, after: IssueState): boolean {
  const { statusSetBy, severitySetBy } = before;
  return !hasChanged(before, after) && statusSetBy === after.statusSetBy && severitySetBy === after.severitySetBy;
}

type Move = Pick<NewActivity, 'kind' | 'from' | 'to'>;

function isoOf(time: Date | null): string | null {
  return time?.toISOString() ?? null;
}

/** The fields that differ. */
function movesOf(before: IssueState, after: IssueState): Move[] {
  const all: Move[] = [
    { kind: 'STATUS', from: before.status, to: after.status },
    { kind: 'SEVERITY', from: before.severity, to: after.severity },
    { kind: 'ASSIGNEE', from: before.assigneeId, to: after.assigneeId },
    { kind: 'DUE_DATE', from: isoOf(before.dueAt), to: isoOf(after.dueAt) },
    { kind: 'LINK', from: before.externalUrl, to: after.externalUrl },
  ];
  const moves = all.filter(({ from, to }) => from !== to);
  return isAcceptedAnew(before, after)
    ? [...moves, { kind: 'ACCEPTANCE', from: isoOf(before.acceptedUntil), to: isoOf(after.acceptedUntil) }]
    : moves;
}

/** An acceptance without an end and a reason is only the status. */
function isAcceptedAnew(before: IssueState, after: IssueState): boolean {
  if (after.status !== 'IGNORED') return false;
  return !sameTime(before.acceptedUntil, after.acceptedUntil) || before.acceptedReason !== after.acceptedReason;
}

/**
 * An activity for each change, the first with the comment; a comment without a change is an activity of its own. Taking the
 * severity from the scanner, or giving it back, is a change even where the value stays the same. An acceptance has its reason
 * for a comment.
 */
export function activitiesOf(before: IssueState, after: IssueState, comment?: string): NewActivity[] {
  const issueId = before.id;
  const moves = movesOf(before, after);
  const changesOwner = (before.severitySetBy === null) !== (after.severitySetBy === null);
  if (changesOwner && before.severity === after.severity) {
    moves.push({ kind: 'SEVERITY', from: before.severity, to: after.severity });
  }
  const accepted = moves.filter(({ kind }) => kind === 'ACCEPTANCE');
  const [first, ...rest] = moves.filter(({ kind }) => kind !== 'ACCEPTANCE');
  const told: NewActivity[] = [];
  if (first) told.push({ issueId, ...first, ...(comment === undefined ? {} : { comment }) });
  else if (comment !== undefined) told.push({ issueId, kind: 'COMMENT', from: null, to: null, comment });
  return [
    ...told,
    ...rest.map((move) => ({ issueId, ...move })),
    ...accepted
      .filter(() => after.acceptedUntil !== null || before.acceptedUntil !== null || after.acceptedReason !== comment)
      .map((move) => ({ issueId, ...move, comment: after.acceptedReason })),
  ];
}
