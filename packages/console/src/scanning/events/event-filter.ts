import { AttachmentType, EventLevel, type EventsListData, EventStage } from '@store-service/sdk';
import { place } from '../../router.svelte.js';

export const levels = Object.values(EventLevel);
export const stages = Object.values(EventStage);
export const attachmentTypes = Object.values(AttachmentType);

export type EventFilter = Omit<NonNullable<EventsListData['query']>, 'size' | 'cursor'>;

const lists = ['levels', 'stages', 'attachments', 'scanIds', 'assetIds', 'issueIds', 'profileIds'] as const;
const texts = ['search', 'since', 'until'] as const;

/** The filters in the address. */
export function eventFilterOfPlace(): EventFilter {
  const filter: Record<string, string | string[]> = {};
  for (const name of lists) if (place.list(name).length > 0) filter[name] = place.list(name);
  for (const name of texts) if (place.get(name)) filter[name] = place.get(name);
  const attached = place.get('hasAttachments');
  return { ...filter, ...(/^(true|false)$/.test(attached) && { hasAttachments: attached === 'true' }) };
}

export const noEventFilter = Object.fromEntries([...lists, ...texts, 'hasAttachments'].map((name) => [name, null]));
