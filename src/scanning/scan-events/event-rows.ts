import { timeOfUuidV7, uuidV7, uuidV7At } from '../../common/crypto/uuid-v7.js';
import type { ScanContext } from '../scans/scan-context.js';
import type { AttachmentType, EventLevel, EventStage } from '../vocabulary.js';
import { attachmentText } from './attachment-text.js';
import { type AttachmentCreate, maxIds } from './scan-event-append.shapes.js';

/** An event to be written. */
export interface NewEvent {
  title: string;
  description: string;
  level: EventLevel;
  stage: EventStage;
  /** Now where left out. */
  createdAt?: Date;
  /** A UUID of version 7 that carries `createdAt`; generated where left out. */
  id?: string;
  /** The scan's where left out. */
  assetIds?: string[];
  issueIds?: string[];
  attachments?: AttachmentCreate[];
}

/** An event as the insert takes it. */
export interface EventRow {
  id: string;
  created_at: string;
  level: EventLevel;
  stage: EventStage;
  title: string;
  description: string;
  asset_ids: string[];
  issue_ids: string[];
  attachments: object[];
  attachment_types: AttachmentType[];
  attachment_text: string;
}

function distinct(ids: string[]): string[] {
  return ids.length === 0 ? ids : [...new Set(ids.map((id) => id.toLowerCase()))];
}

/**
 * Unspecified: the assets of an event that names none. They are those of its scan, unless these are more than an event may
 * name: the list of a scan of thousands would be the largest part of each event.
 */
function assetsOf({ assetIds }: ScanContext): string[] {
  return assetIds.length <= maxIds ? assetIds : [];
}

/** `index` is the event's place among those written together: it orders events of the same moment. */
export function toEventRow(scan: ScanContext, event: NewEvent, index: number): EventRow {
  const { attachments = [], createdAt, assetIds, issueIds = [] } = event;
  const id = event.id?.toLowerCase() ?? (createdAt ? uuidV7At(createdAt, index) : uuidV7());
  const time = timeOfUuidV7(id) ?? new Date();
  const created_at = time.toISOString();
  return {
    id,
    created_at,
    level: event.level,
    stage: event.stage,
    title: event.title,
    description: event.description,
    asset_ids: assetIds ? distinct(assetIds) : assetsOf(scan),
    issue_ids: distinct(issueIds),
    attachments: attachments.map((attachment, at) =>
      Object.assign({ id: uuidV7At(time, at), createdAt: created_at }, attachment),
    ),
    attachment_types: attachments.length === 0 ? [] : [...new Set(attachments.map(({ type }) => type))],
    attachment_text: attachments.length === 0 ? '' : attachmentText(attachments),
  };
}
