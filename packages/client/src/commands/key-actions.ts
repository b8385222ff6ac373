import type { ApiKey, ApiKeyRole } from '@store-service/sdk';
import { latest, resolveId } from '../api/ids.js';
import { exitCodes, Failure } from '../failure.js';
import { printDetails } from '../output/details.js';
import { printJson } from '../output/json.js';
import type { Column } from '../output/table.js';
import { createdColumn, idColumn, timeColumn } from './common-columns.js';
import type { Context } from './context.js';
import type { OutputFormat } from './options.js';
import { ofOrganization } from './of-organization.js';
import { type ListOptions, printList } from './print-list.js';

export interface KeyChoices {
  role: ApiKeyRole;
  expires?: string;
  output: OutputFormat;
}

function stateOf({ revokedAt, expiresAt }: ApiKey): string {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && Date.parse(expiresAt) <= Date.now() ? 'expired' : 'in force';
}

const columns: readonly Column<ApiKey>[] = [
  idColumn,
  { ...createdColumn, mayGo: true },
  { head: 'BEGINS', value: ({ prefix }) => prefix, width: 12, least: 12, mayGo: true },
  { head: 'ROLE', value: ({ role }) => role, width: 6, least: 6 },
  { head: 'STATE', value: stateOf, width: 8, least: 8 },
  { ...timeColumn<ApiKey>('LAST USED AT', ({ lastUsedAt }) => lastUsedAt), mayGo: true },
  { head: 'MADE BY', value: ({ createdBy }) => createdBy?.username ?? '-', width: 16, least: 8, mayGo: true },
  { head: 'NAME', value: ({ name }) => name, width: 30, least: 12 },
];

/** `keys list`. */
export async function listKeys(context: Context, options: ListOptions): Promise<void> {
  const path = await ofOrganization(context.api);
  await printList(context, (query) => context.api.apiKeys.list({ path, query }), columns, options);
}

/** `keys create`: prints the key, this once. */
export async function createKey(context: Context, name: string, choices: KeyChoices): Promise<void> {
  const { role, expires, output: format } = choices;
  const body = { name, role, expiresAt: expires ?? null };
  const { data: made } = await context.api.apiKeys.create({ path: await ofOrganization(context.api), body });
  if (format === 'json') return printJson(context.output, made);
  await printDetails(context.output, [
    ['ID', made.id],
    ['NAME', made.name],
    ['ROLE', made.role],
    ['EXPIRES AT', made.expiresAt],
    ['KEY', made.key],
  ]);
  context.notify('The key is shown this once');
}

/** `keys revoke`. Does not accept `latest`, since it cannot be undone. */
export async function revokeKey(context: Context, given: string, format: OutputFormat): Promise<void> {
  if (given === latest) throw new Failure('Say which key: its id, as keys list shows it', exitCodes.usage);
  const id = await resolveId(context.api, 'API_KEY', given);
  await context.api.apiKeys.revoke({ path: { ...(await ofOrganization(context.api)), keyId: id } });
  if (format === 'json') await printJson(context.output, { id });
  else await printDetails(context.output, [['REVOKED', id]]);
}
