import { bySeverity, type SeverityCount } from '../issues-by-severity.js';
import type { AssetTag } from '../tags/tags.dto.js';
import type { AssetRecord } from './asset-draft.js';
import type { Asset } from './assets.dto.js';

export interface AssetRow extends AssetRecord {
  createdAt: Date;
  tags: AssetTag[];
  openIssues: SeverityCount[];
}

export function toAsset(row: AssetRow): Asset {
  const { id, name, type, class: assetClass, uri, sourceUrl, createdAt, tags } = row;
  const { service, frontend, host, repository, schema } = row;
  const details = { service, frontend, host, repository, schema, cloudComponent: null };
  return {
    id,
    name,
    type,
    class: assetClass,
    uri,
    sourceUrl,
    createdAt,
    ...details,
    tags,
    openIssues: bySeverity(row.openIssues),
  };
}
