import type { AuditEntry } from '../../../../src/scanning/organization-audit/organization-audit.dto.js';
import { exitCodes, Failure } from '../failure.js';
import { printDetails } from '../output/details.js';
import { printJson } from '../output/json.js';
import type { Output } from '../output/output.js';
import type { Column } from '../output/table.js';
import type { Wire } from '../wire.js';
import { createdColumn, idColumn } from './common-columns.js';
import type { Context } from './context.js';
import type { OutputFormat } from './options.js';
import { currentOrganization, type Organization } from './organization.js';
import { type ListOptions, printList } from './print-list.js';

type Entry = Wire<AuditEntry>;

export interface OrganizationChanges {
  name?: string;
  scopedPayload?: 'on' | 'off';
  output: OutputFormat;
}

export interface AuditOptions extends ListOptions {
  since?: string;
  until?: string;
}

const auditColumns: readonly Column<Entry>[] = [
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
  await print(output, await currentOrganization(api), format);
}

/** `organization update`. */
export async function updateOrganization({ api, output }: Context, changes: OrganizationChanges): Promise<void> {
  const { name, scopedPayload, output: format } = changes;
  if (name === undefined && scopedPayload === undefined) {
    throw new Failure('There is nothing to change: give --name or --scoped-payload', exitCodes.usage);
  }
  const scoped = scopedPayload === undefined ? {} : { scopedWebhookExportPayload: scopedPayload === 'on' };
  const { id } = await currentOrganization(api);
  await print(output, await api.send<Organization>('PATCH', `organizations/${id}`, { name, ...scoped }), format);
}

/** `organization audit`. */
export async function listAudit(context: Context, options: AuditOptions): Promise<void> {
  const { since, until } = options;
  const { id } = await currentOrganization(context.api);
  await printList(context, `organizations/${id}/audit`, { since, until }, auditColumns, options);
}
