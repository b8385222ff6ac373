import type { Branch } from './branches.dto.js';

export function toBranch(branch: Branch): Branch {
  const { id, name, assetId, assetName, pullRequest, createdAt, lastScannedAt, closedAt } = branch;
  return { id, name, assetId, assetName, default: branch.default, pullRequest, createdAt, lastScannedAt, closedAt };
}
