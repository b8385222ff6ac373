import type { Delivery, DeliveryStatus } from '@store-service/sdk';
import { resolveId, resolveIds } from '../api/ids.js';
import type { List } from '../api/pages.js';
import { printDetails } from '../output/details.js';
import { harmlessText } from '../output/harmless.js';
import { printJson } from '../output/json.js';
import type { Color } from '../output/output.js';
import type { Column } from '../output/table.js';
import { createdColumn, idColumn } from './common-columns.js';
import type { Context } from './context.js';
import { indented } from './indented.js';
import type { OutputFormat } from './options.js';
import { type ListOptions, printList } from './print-list.js';

export interface ListDeliveriesOptions extends ListOptions {
  statuses?: DeliveryStatus[];
  workflowId?: string[];
  since?: string;
  until?: string;
}

const colors: Record<Delivery['status'], Color | undefined> = {
  PENDING: undefined,
  DELIVERED: 'green',
  RETRYING: 'yellow',
  EXHAUSTED: 'red',
  CANCELED: 'grey',
};

const columns: readonly Column<Delivery>[] = [
  idColumn,
  { ...createdColumn, mayGo: true },
  { head: 'STATUS', value: ({ status }) => status, color: ({ status }) => colors[status], width: 9, least: 9 },
  { head: 'ATTEMPTS', value: ({ attemptCount }) => String(attemptCount), width: 8, least: 8, mayGo: true },
  { head: 'BYTES', value: ({ payloadBytes }) => String(payloadBytes), width: 9, least: 9, mayGo: true },
  { head: 'URL', value: ({ url }) => url, width: 40, least: 15 },
];

/** `deliveries list`. */
export async function listDeliveries(context: Context, options: ListDeliveriesOptions): Promise<void> {
  const { statuses, since, until } = options;
  const workflowIds = await resolveIds(context.api, 'WORKFLOW', options.workflowId);
  const filter = { status: statuses, workflowIds, since, until };
  const list: List<Delivery> = (paging) => context.api.deliveries.listAll({ query: { ...filter, ...paging } });
  await printList(context, list, columns, options);
}

function attemptText({
  number,
  startedAt,
  durationMs,
  statusCode,
  error,
  response,
}: Delivery['attempts'][number]): string {
  const took = durationMs === null ? 'under way' : `${durationMs} ms`;
  const outcome = statusCode === null ? (error ?? '') : `status ${statusCode}`;
  return `${number}  ${startedAt}  ${outcome} (${took})${response ? `\n${indented(response)}` : ''}`;
}

/** `deliveries get`: one delivery with its attempts. */
export async function showDelivery({ api, output }: Context, given: string, format: OutputFormat): Promise<void> {
  const id = await resolveId(api, 'DELIVERY', given);
  const { data: delivery } = await api.deliveries.get({ path: { id } });
  if (format === 'json') return printJson(output, delivery);
  await printDetails(output, [
    ['ID', delivery.id],
    ['STATUS', delivery.status],
    ['URL', delivery.url],
    ['WORKFLOW ID', delivery.workflowId],
    ['RUN ID', delivery.runId],
    ['BYTES', delivery.payloadBytes],
    ['CREATED AT', delivery.createdAt],
    ['NEXT ATTEMPT AT', delivery.nextAttemptAt],
    ['ATTEMPTS', delivery.attemptCount],
  ]);
  const attempts = delivery.attempts.map(attemptText).join('\n');
  if (attempts) await output.write(`\n${output.paint('ATTEMPTS', 'bold')}\n${indented(attempts)}\n`);
}

/** `deliveries replay`. */
export async function replayDelivery({ api, output }: Context, given: string, format: OutputFormat): Promise<void> {
  const id = await resolveId(api, 'DELIVERY', given);
  await api.deliveries.replay({ path: { id } });
  if (format === 'json') await printJson(output, { id });
  else await printDetails(output, [['SENT AGAIN', id]]);
}

/** `deliveries replay-all`. */
export async function replayDeliveries(
  { api, output }: Context,
  given: string,
  since: string,
  format: OutputFormat,
): Promise<void> {
  const id = await resolveId(api, 'WORKFLOW', given);
  const { data: replayed } = await api.deliveries.replayAll({ path: { id }, body: { since } });
  if (format === 'json') await printJson(output, replayed);
  else await printDetails(output, [['SENT AGAIN', replayed.replayed]]);
}

/** `deliveries payload`. */
export async function printPayload({ api, output }: Context, given: string): Promise<void> {
  const id = await resolveId(api, 'DELIVERY', given);
  const { data } = await api.deliveries.payload({ path: { id }, parseAs: 'text' });
  const text = data as unknown as string;
  await output.write(output.isTerminal ? `${harmlessText(text)}\n` : text);
}
