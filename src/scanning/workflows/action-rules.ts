import { Invalid } from '../../platform/errors/invalid.js';
import { assertTemplate } from '../notifications/notice-template.js';
import { isChat } from '../notifications/notification-kinds.js';
import type { ActionKind, ActionType } from './action-kinds.js';
import type { ActionParameters } from './action-secrets.js';

type Loc = (string | number)[];

function refuse(loc: Loc, msg: string, type = 'value_error'): never {
  throw Invalid.at(loc, type, msg);
}

/** Throws `Invalid` unless the kind is one of the type: a WEBHOOK exports, and all else notifies. */
export function assertKind(type: ActionType, kind: ActionKind, loc: Loc): void {
  if ((type === 'EXPORT') === (kind === 'WEBHOOK')) return;
  const msg =
    type === 'EXPORT'
      ? 'An EXPORT goes to a WEBHOOK: send that, or make the type NOTIFY'
      : 'A NOTIFY goes to SLACK, TEAMS, DISCORD, EMAIL or a TEMPLATE: send one of these, or make the type EXPORT';
  refuse([...loc, 'integrationKind'], msg);
}

/** Throws `Invalid` for parameters that the kind has no use for, or lacks. */
export function assertKindParameters(kind: ActionKind, given: ActionParameters, loc: Loc): void {
  const { headers, secret, memberIds, template, perIssue = false } = given;
  const parameters = [...loc, 'parameters'];
  if (isChat(kind) && headers.length > 0) {
    refuse([...parameters, 'headers'], `The webhook of a ${kind} channel takes no headers: remove them`);
  }
  if (isChat(kind) && secret !== null) {
    refuse([...parameters, 'secret'], `The webhook of a ${kind} channel takes no signature: remove the secret`);
  }
  if (kind === 'EMAIL' && !memberIds) refuse([...parameters, 'memberIds'], 'Field required: whom to mail', 'missing');
  if (kind !== 'EMAIL' && memberIds) refuse([...parameters, 'memberIds'], 'Only EMAIL goes to members: remove them');
  if (kind === 'TEMPLATE' && !template) refuse([...parameters, 'template'], 'Field required: the body', 'missing');
  if (kind !== 'TEMPLATE' && template) refuse([...parameters, 'template'], 'Only TEMPLATE has a body: remove it');
  if (perIssue && (kind === 'WEBHOOK' || kind === 'EMAIL')) {
    refuse([...parameters, 'perIssue'], `${kind} sends one message for all issues: remove this`);
  }
  if (template) assertTemplate(template, perIssue, [...parameters, 'template']);
}
