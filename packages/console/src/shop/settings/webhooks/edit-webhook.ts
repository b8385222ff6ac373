import type { Webhook } from '@store-service/sdk';
import { queries } from '../../../api/queries.js';
import { api } from '../../../api/service.js';
import { askVersion, type EditedField, saveEdit, type Version } from '../../../parts/versions.svelte.js';
import { type EventType, eventNames } from './event-names.js';
import { texts } from '../../../texts/texts.js';

/** A webhook as its form edits it: its events as one text, so that two versions can be compared. */
export interface EditedWebhook {
  url: string;
  events: string;
  customer_data: boolean;
  enabled: boolean;
}

const fields: readonly EditedField<EditedWebhook>[] = [
  { key: 'url', label: 'URL' },
  {
    key: 'events',
    label: texts.common.events,
    text: (types) =>
      eventsOf(String(types))
        .map((type) => eventNames[type])
        .join(', '),
  },
  { key: 'customer_data', label: texts.settings.customerData },
  { key: 'enabled', label: texts.settings.enabled },
];

export const asText = (events: readonly EventType[]): string => events.toSorted().join(',');
export const eventsOf = (text: string): EventType[] => text.split(',').filter(Boolean) as EventType[];

export const webhookKey = (id: string) => ['webhook', id];
export const readWebhook = (id: string): Promise<Version<Webhook>> => askVersion(api.webhooks.get({ path: { id } }));

export const editedOf = ({ url, events, customer_data, enabled }: Webhook): EditedWebhook => ({
  url,
  events: asText(events),
  customer_data,
  enabled,
});
const versionOf = ({ value, etag }: Version<Webhook>): Version<EditedWebhook> => ({ value: editedOf(value), etag });

/** Saves changes to a webhook over the version that was read. */
export async function saveWebhook({ value, etag }: Version<Webhook>, changes: Partial<EditedWebhook>) {
  const { id, url } = value;
  let latest: Version<Webhook> = { value, etag };
  const result = await saveEdit<EditedWebhook>({
    name: url,
    fields,
    before: versionOf(latest),
    changes,
    read: async () => versionOf((latest = await readWebhook(id))),
    write: async (known) => {
      const { events, ...rest } = changes;
      const body = { ...rest, ...(events !== undefined && { events: eventsOf(events) }) };
      latest = await askVersion(api.webhooks.update({ path: { id }, body, headers: { 'If-Match': known } }));
      return versionOf(latest);
    },
  });
  if (result) queries.setQueryData(webhookKey(id), latest);
  return result && { kept: result.kept, version: latest };
}
