import type { AttachmentType, EventLevel, EventStage, ScanEventSummary } from '@store-service/sdk';
import { resolveIds } from '../api/ids.js';
import type { List } from '../api/pages.js';
import type { Context } from './context.js';
import { eventColumns } from './event-columns.js';
import { type EventFilter, followEvents } from './follow-events.js';
import { type ListOptions, printList } from './print-list.js';

export interface ListEventsOptions extends ListOptions {
  search?: string;
  profileId?: string[];
  scanId?: string[];
  assetId?: string[];
  issueId?: string[];
  stage?: EventStage[];
  levels?: EventLevel[];
  hasAttachments?: true;
  attachments?: AttachmentType[];
  since?: string;
  until?: string;
  follow?: true;
}

async function filterOf({ api }: Context, options: ListEventsOptions): Promise<EventFilter> {
  const [profileIds, scanIds, assetIds, issueIds] = await Promise.all([
    resolveIds(api, 'PROFILE', options.profileId),
    resolveIds(api, 'SCAN', options.scanId),
    resolveIds(api, 'ASSET', options.assetId),
    resolveIds(api, 'ISSUE', options.issueId),
  ]);
  return {
    search: options.search,
    profileIds,
    scanIds,
    assetIds,
    issueIds,
    stages: options.stage,
    levels: options.levels,
    hasAttachments: options.hasAttachments,
    attachments: options.attachments,
  };
}

/** `events list`: a list once, or endlessly with `--follow`. */
export async function listEvents(context: Context, options: ListEventsOptions): Promise<void> {
  const filter = await filterOf(context, options);
  if (options.follow) return followEvents(context, filter, options);
  const { since, until } = options;
  const list: List<ScanEventSummary> = (paging) =>
    context.api.events.list({ query: { ...filter, since, until, ...paging } });
  await printList(context, list, eventColumns, options, 'counted');
}
