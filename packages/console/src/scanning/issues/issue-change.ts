import type { IssueSeverity, IssueStatus } from '@store-service/sdk';
import type { IssueChange } from './issue-values.js';

/** A change as it is entered: an empty text leaves what there is. */
export interface EnteredChange {
  status: string;
  severity: string;
  /** The id of a member, or `none`. */
  assignee: string;
  due: string;
  acceptedUntil: string;
  acceptedReason: string;
  externalUrl: string;
  comment: string;
}

export const nothingEntered = (): EnteredChange => ({
  status: '',
  severity: '',
  assignee: '',
  due: '',
  acceptedUntil: '',
  acceptedReason: '',
  externalUrl: '',
  comment: '',
});

const isoOf = (local: string) => new Date(local).toISOString();

/** The change in the form that the service accepts. An acceptance goes with the status IGNORED alone. */
export function changeOf(entered: EnteredChange): IssueChange {
  const { status, severity, assignee, due, acceptedUntil } = entered;
  const [reason, url, comment] = [entered.acceptedReason.trim(), entered.externalUrl.trim(), entered.comment.trim()];
  const accepts = status === 'IGNORED';
  return {
    ...(status && { status: status as IssueStatus }),
    ...(severity && { severity: severity as IssueSeverity }),
    ...(assignee && { assigneeId: assignee === 'none' ? null : assignee }),
    ...(due && { dueAt: isoOf(due) }),
    ...(accepts && acceptedUntil && { acceptedUntil: isoOf(acceptedUntil) }),
    ...(accepts && reason && { acceptedReason: reason }),
    ...(url && { externalUrl: url }),
    ...(comment && { comment }),
  };
}
