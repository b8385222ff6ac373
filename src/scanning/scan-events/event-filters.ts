import type { AttachmentType, EventLevel, EventStage } from '../vocabulary.js';

/** The filters of a list of events; an omitted one filters nothing. */
export interface EventFilters {
  /** A LIKE pattern. */
  search?: string | undefined;
  profileIds?: readonly string[] | undefined;
  scanIds?: readonly string[] | undefined;
  assetIds?: readonly string[] | undefined;
  issueIds?: readonly string[] | undefined;
  stages?: readonly EventStage[] | undefined;
  levels?: readonly EventLevel[] | undefined;
  hasAttachments?: boolean | undefined;
  attachments?: readonly AttachmentType[] | undefined;
  since?: Date | undefined;
}

/** Whether GIN indexes serve these filters: their use depends on the values, so that each statement is planned anew. */
export function areBestPlannedByValue({ search, assetIds, issueIds }: EventFilters): boolean {
  return search !== undefined || assetIds !== undefined || issueIds !== undefined;
}

/** Whether the filters only name assets, beside a time. */
export function areOfAssetsAlone(filters: EventFilters): boolean {
  return filters.assetIds !== undefined && !areAny({ ...filters, assetIds: undefined, since: undefined });
}

/** Whether a page of these filters comes from indexes that have no order. */
export function isFoundByValue(filters: EventFilters): boolean {
  return areBestPlannedByValue(filters) && !areOfAssetsAlone(filters);
}

/**
 * Whether one index leads to the page of these filters. Any other combination may read many events for few, however it is
 * planned: the overlap of two filters, say, or a rare value.
 */
export function areServedByOneIndex(filters: EventFilters): boolean {
  const { scanIds, profileIds, stages, levels, hasAttachments, attachments = [] } = filters;
  if (areBestPlannedByValue(filters) || hasAttachments === false || attachments.length > 1) return false;
  const kinds = stages ?? levels;
  const attached = filters.attachments ?? hasAttachments;
  return [scanIds, profileIds, kinds, attached].filter((asked) => asked !== undefined).length <= 1;
}

/** Whether any filter is given. */
export function areAny(filters: EventFilters): boolean {
  return Object.values(filters).some((value) => value !== undefined);
}
