import type { AuditEntry, Organization } from '@store-service/sdk';
import type { List } from '../api/pages.js';
import { exitCodes, Failure } from '../failure.js';
import { printDetails } from '../output/details.js';
import { printJson } from '../output/json.js';
import type { Output } from '../output/output.js';
import type { Column } from '../output/table.js';
import { createdColumn, idColumn } from './common-columns.js';
import type { Context } from './context.js';
import type { OutputFormat } from './options.js';
import { ofOrganization } from './of-organization.js';
import { type ListOptions, printList } from './print-list.js';

export interface OrganizationChanges {
  name?: string;
  scopedPayload?: 'on' | 'off';
  output: OutputFormat;
}

export interface AuditOptions extends ListOptions {
  since?: string;
  until?: string;
}

const auditColumns: readonly Column<AuditEntry>[] = [
  idColumn,
  createdColumn,
  { head: 'WHO', value: ({ actor }) => actor.name ?? actor.id ?? actor.kind, width: 20, least: 8 },
  { head: 'ACTION', value: ({ action }) => action, width: 28, least: 12 },
  { head: 'TO WHAT', value: ({ subject }) => subject.name ?? subject.id, width: 30, least: 12, mayGo: true },
];

async function print(output: Output, organization: Organization, format: OutputFormat): Promise<void> {
  if (format === 'json') return printJson(output, organization);
  await printDetails(output, [
    ['ID', organization.id],
    ['NAME', organization.name],
    ['SCOPED PAYLOAD', organization.scopedWebhookExportPayload ? 'on' : 'off'],
    ['CREATED AT', organization.createdAt],
  ]);
}

/** `organization get`. */
export async function showOrganization({ api, output }: Context, format: OutputFormat): Promise<void> {
  await print(output, (await api.organizations.current()).data, format);
}

/** `organization update`. */
export async function updateOrganization({ api, output }: Context, changes: OrganizationChanges): Promise<void> {
  const { name, scopedPayload, output: format } = changes;
  if (name === undefined && scopedPayload === undefined) {
    throw new Failure('There is nothing to change: give --name or --scoped-payload', exitCodes.usage);
  }
  const scoped = scopedPayload === undefined ? {} : { scopedWebhookExportPayload: scopedPayload === 'on' };
  const body = { name, ...scoped };
  const { data: organization } = await api.organizations.update({ path: await ofOrganization(api), body });
  await print(output, organization, format);
}

/** `organization audit`. */
export async function listAudit(context: Context, options: AuditOptions): Promise<void> {
  const { since, until } = options;
  const path = await ofOrganization(context.api);
  const list: List<AuditEntry> = (paging) => context.api.audit.list({ path, query: { since, until, ...paging } });
  await printList(context, list, auditColumns, options);
}
