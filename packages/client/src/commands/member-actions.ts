import type { Invitation as InvitationShape } from '../../../../src/scanning/organizations/invitations.dto.js';
import type { OrganizationMember } from '../../../../src/scanning/organizations/members.dto.js';
import { latest } from '../api/ids.js';
import { pages } from '../api/pages.js';
import { exitCodes, Failure } from '../failure.js';
import { printDetails } from '../output/details.js';
import { printJson } from '../output/json.js';
import { type Column } from '../output/table.js';
import type { Wire } from '../wire.js';
import { createdColumn, timeColumn } from './common-columns.js';
import type { Context } from './context.js';
import type { OutputFormat } from './options.js';
import { currentOrganization } from './organization.js';
import { type ListOptions, printList } from './print-list.js';

type Member = Wire<OrganizationMember>;
type Invitation = Wire<InvitationShape>;

export interface InviteChoices {
  role: string;
  output: OutputFormat;
}

const columns: readonly Column<Member>[] = [
  { head: 'USER ID', value: ({ userId }) => userId, width: 36, least: 36 },
  { ...createdColumn, head: 'MEMBER SINCE', mayGo: true },
  { head: 'ROLE', value: ({ role }) => role, width: 6, least: 6 },
  { head: 'USERNAME', value: ({ username }) => username, width: 30, least: 12 },
];

const invitationColumns: readonly Column<Invitation>[] = [
  { head: 'INVITATION ID', value: ({ invitationId }) => invitationId, width: 36, least: 36 },
  { ...createdColumn, mayGo: true },
  { ...timeColumn<Invitation>('EXPIRES AT', ({ expiresAt }) => expiresAt), mayGo: true },
  { head: 'ROLE', value: ({ role }) => role, width: 6, least: 6 },
  { head: 'WHO', value: ({ username, email }) => username ?? email ?? '-', width: 40, least: 12 },
];

async function organizationPath({ api }: Context): Promise<string> {
  return `organizations/${(await currentOrganization(api)).id}`;
}

async function membersPath(context: Context): Promise<string> {
  return `${await organizationPath(context)}/members`;
}

/** The member with this username or id. */
async function memberOf({ api }: Context, path: string, who: string): Promise<Member> {
  const meant = who.toLowerCase();
  for await (const { entries } of pages<Member>(api, path, {}, Infinity)) {
    const member = entries.find(({ userId, username }) => userId === meant || username.toLowerCase() === meant);
    if (member) return member;
  }
  throw new Failure(`No member of the organization is called ${who}`, exitCodes.notFound);
}

async function invitationOf({ api }: Context, path: string, given: string): Promise<string> {
  if (given === latest) throw new Failure('Say which invitation: its id, as invitations shows it', exitCodes.usage);
  const found: string[] = [];
  for await (const { entries } of pages<Invitation>(api, path, { status: 'INVITED' }, Infinity)) {
    found.push(...entries.map(({ invitationId }) => invitationId).filter((id) => id.startsWith(given)));
  }
  const [first, ...others] = found;
  if (first === undefined) throw new Failure(`No invitation has an id that begins with ${given}`, exitCodes.notFound);
  if (others.length > 0)
    throw new Failure(`${given} is the beginning of several ids: give more of it`, exitCodes.usage);
  return first;
}

/** `members list`. */
export async function listMembers(context: Context, options: ListOptions): Promise<void> {
  await printList(context, await membersPath(context), {}, columns, options);
}

/** `members invite`. */
export async function inviteMember(context: Context, who: string, { role, output }: InviteChoices): Promise<void> {
  const named = who.includes('@') ? { email: who } : { username: who };
  const invited = await context.api.send<Record<string, unknown>>('POST', await membersPath(context), {
    ...named,
    role,
  });
  if (output === 'json') return printJson(context.output, invited);
  const shown = (name: string) => (typeof invited[name] === 'string' ? invited[name] : null);
  await printDetails(context.output, [
    ['INVITATION ID', shown('invitationId')],
    ['USERNAME', shown('username')],
    ['E-MAIL', shown('email')],
    ['ROLE', shown('role')],
    ['STATUS', shown('status')],
    ['EXPIRES AT', shown('expiresAt')],
  ]);
}

/** `members update`. */
export async function updateMember(context: Context, who: string, { role, output }: InviteChoices): Promise<void> {
  const path = await membersPath(context);
  const { userId } = await memberOf(context, path, who);
  const member = await context.api.send<Member>('PATCH', `${path}/${userId}`, { role });
  if (output === 'json') return printJson(context.output, member);
  await printDetails(context.output, [
    ['USER ID', member.userId],
    ['USERNAME', member.username],
    ['ROLE', member.role],
  ]);
}

/** `members remove`. */
export async function removeMember(
  context: Context,
  who: string,
  { revokeKeys, output }: { revokeKeys?: true; output: OutputFormat },
): Promise<void> {
  const path = await membersPath(context);
  const { userId, username } = await memberOf(context, path, who);
  await context.api.order('DELETE', `${path}/${userId}${revokeKeys ? '?revokeKeys=true' : ''}`);
  if (output === 'json') await printJson(context.output, { userId, username });
  else await printDetails(context.output, [['REMOVED', username]]);
}

/** `members invitations`. */
export async function listInvitations(context: Context, options: ListOptions): Promise<void> {
  await printList(context, await membersPath(context), { status: 'INVITED' }, invitationColumns, options);
}

/** `members uninvite`. */
export async function revokeInvitation(context: Context, given: string, format: OutputFormat): Promise<void> {
  const path = await organizationPath(context);
  const id = await invitationOf(context, `${path}/members`, given);
  await context.api.order('DELETE', `${path}/invitations/${id}`);
  if (format === 'json') await printJson(context.output, { invitationId: id });
  else await printDetails(context.output, [['TAKEN BACK', id]]);
}
