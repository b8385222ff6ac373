import type { Query } from '../api/api-client.js';
import { resolveIds } from '../api/ids.js';
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
  since?: string;
  until?: string;
  follow?: true;
}

async function filterOf({ api }: Context, options: ListEventsOptions): Promise<Query> {
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
  const { since, until } = options;
  if (options.follow) await followEvents(context, filter, options);
  else await printList(context, 'events', { ...filter, since, until }, eventColumns, options);
}
