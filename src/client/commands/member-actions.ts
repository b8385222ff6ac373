import type { OrganizationMember } from '../../scanning/organizations/members.shapes.js';
import { printDetails } from '../output/details.js';
import { printJson } from '../output/json.js';
import { type Column } from '../output/table.js';
import type { Wire } from '../wire.js';
import { createdColumn } from './common-columns.js';
import type { Context } from './context.js';
import type { OutputFormat } from './options.js';
import { currentOrganization } from './organization.js';
import { type ListOptions, printList } from './print-list.js';

type Member = Wire<OrganizationMember>;

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

async function membersPath({ api }: Context): Promise<string> {
  return `organizations/${(await currentOrganization(api)).id}/members`;
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
