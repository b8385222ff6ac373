import type { Query } from '../api/api-client.js';
import type { Context } from './context.js';
import { eventColumns } from './event-columns.js';
import { followEvents } from './follow-events.js';
import { type ListOptions, printList } from './print-list.js';

export interface ListEventsOptions extends ListOptions {
  search?: string;
  profileId?: string[];
  scanId?: string[];
  assetId?: string[];
  issueId?: string[];
  stage?: string[];
  levels?: string[];
  hasAttachments?: true;
  attachments?: string[];
  follow?: true;
}

function filterOf(options: ListEventsOptions): Query {
  return {
    search: options.search,
    profileIds: options.profileId,
    scanIds: options.scanId,
    assetIds: options.assetId,
    issueIds: options.issueId,
    stages: options.stage,
    levels: options.levels,
    hasAttachments: options.hasAttachments,
    attachments: options.attachments,
  };
}

/** `events list`: a list once, or with `--follow` without an end. */
export async function listEvents(context: Context, options: ListEventsOptions): Promise<void> {
  const filter = filterOf(options);
  if (options.follow) await followEvents(context, filter, options);
  else await printList(context, 'events', filter, eventColumns, options);
}
