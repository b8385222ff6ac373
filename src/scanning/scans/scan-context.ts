/** The facts about a scan that appending to it needs. */
export interface ScanContext {
  id: string;
  organizationId: string;
  profileId: string;
  /** Only the first ones of a very large scan. */
  assetIds: string[];
}
