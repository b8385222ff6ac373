import {
  type Invitation,
  type InvitationCreate,
  type MemberRole,
  type OrganizationMember,
  pages,
  type StoreClient,
} from '@store-service/sdk';
import { latest } from '../api/ids.js';
import type { List } from '../api/pages.js';
import { exitCodes, Failure } from '../failure.js';
import { printDetails } from '../output/details.js';
import { printJson } from '../output/json.js';
import { type Column } from '../output/table.js';
import { createdColumn, timeColumn } from './common-columns.js';
import type { Context } from './context.js';
import { ofOrganization, type OrganizationPath } from './of-organization.js';
import type { OutputFormat } from './options.js';
import { type ListOptions, printList } from './print-list.js';

export interface InviteChoices {
  role: MemberRole;
  output: OutputFormat;
}

const columns: readonly Column<OrganizationMember>[] = [
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

// One list has both: who was invited, if that is asked for, and else the members.
function membersOf({ members }: StoreClient, path: OrganizationPath): List<OrganizationMember> {
  return ((query) => members.list({ path, query })) as List<OrganizationMember>;
}

function invitationsOf({ members }: StoreClient, path: OrganizationPath): List<Invitation> {
  return ((paging) => members.list({ path, query: { status: 'INVITED', ...paging } })) as List<Invitation>;
}

const size = 100;

/** The member with this username or id. */
async function memberOf(api: StoreClient, path: OrganizationPath, who: string): Promise<OrganizationMember> {
  const meant = who.toLowerCase();
  const list = membersOf(api, path);
  for await (const member of pages((cursor) => list({ size, ...cursor }))) {
    if (member.userId === meant || member.username.toLowerCase() === meant) return member;
  }
  throw new Failure(`No member of the organization is called ${who}`, exitCodes.notFound);
}

async function invitationOf(api: StoreClient, path: OrganizationPath, given: string): Promise<string> {
  if (given === latest) throw new Failure('Say which invitation: its id, as invitations shows it', exitCodes.usage);
  const list = invitationsOf(api, path);
  const found: string[] = [];
  for await (const { invitationId } of pages((cursor) => list({ size, ...cursor }))) {
    if (invitationId.startsWith(given)) found.push(invitationId);
  }
  const [first, ...others] = found;
  if (first === undefined) throw new Failure(`No invitation has an id that begins with ${given}`, exitCodes.notFound);
  if (others.length > 0)
    throw new Failure(`${given} is the beginning of several ids: give more of it`, exitCodes.usage);
  return first;
}

/** `members list`. */
export async function listMembers(context: Context, options: ListOptions): Promise<void> {
  await printList(context, membersOf(context.api, await ofOrganization(context.api)), columns, options);
}

/** `members invite`. */
export async function inviteMember(context: Context, who: string, { role, output }: InviteChoices): Promise<void> {
  const body: InvitationCreate = { ...(who.includes('@') ? { email: who } : { username: who }), role };
  const path = await ofOrganization(context.api);
  const { data: invited } = await context.api.invitations.invite({ path, body });
  if (output === 'json') return printJson(context.output, invited);
  await printDetails(context.output, [
    ['INVITATION ID', invited.invitationId],
    ['USERNAME', invited.username],
    ['E-MAIL', invited.email],
    ['ROLE', invited.role],
    ['STATUS', invited.status],
    ['EXPIRES AT', invited.expiresAt],
  ]);
}

/** `members update`. */
export async function updateMember(context: Context, who: string, { role, output }: InviteChoices): Promise<void> {
  const path = await ofOrganization(context.api);
  const { userId } = await memberOf(context.api, path, who);
  const { data: member } = await context.api.members.update({ path: { ...path, userId }, body: { role } });
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
  const path = await ofOrganization(context.api);
  const { userId, username } = await memberOf(context.api, path, who);
  await context.api.members.remove({ path: { ...path, userId }, query: { revokeKeys } });
  if (output === 'json') await printJson(context.output, { userId, username });
  else await printDetails(context.output, [['REMOVED', username]]);
}

/** `members invitations`. */
export async function listInvitations(context: Context, options: ListOptions): Promise<void> {
  const list = invitationsOf(context.api, await ofOrganization(context.api));
  await printList(context, list, invitationColumns, options);
}

/** `members uninvite`. */
export async function revokeInvitation(context: Context, given: string, format: OutputFormat): Promise<void> {
  const path = await ofOrganization(context.api);
  const id = await invitationOf(context.api, path, given);
  await context.api.invitations.revoke({ path: { ...path, invitationId: id } });
  if (format === 'json') await printJson(context.output, { invitationId: id });
  else await printDetails(context.output, [['TAKEN BACK', id]]);
}
