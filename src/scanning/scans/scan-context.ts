/** What appending to a scan needs to know of it. */
export interface ScanContext {
  id: string;
  organizationId: string;
  profileId: string;
  /** Of a scan of very many assets the first ones. */
  assetIds: string[];
}
