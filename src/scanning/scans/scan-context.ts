/** The facts about a scan that appending to it needs. */
export interface ScanContext {
  id: string;
  organizationId: string;
  profileId: string;
  /** Only the first ones of a very large scan. */
  assetIds: string[];
  /** The tool whose report it was made of; none if nobody named it. */
  tool?: string | null;
  /** The branch that it names, and the pull request. */
  branch?: string | null;
  pullRequest?: string | null;
  /** Where its findings are seen, asset by asset; omitted for a scan without a branch. */
  sightings?: Sighting[];
}

/** The branch on which a scan sees the findings of an asset. */
export interface Sighting {
  assetId: string;
  /** Null where the scan names none. */
  branchId: string | null;
  /** Whether what the branch has is the organization's. */
  decides: boolean;
  /** Whether a newer commit was scanned before: the scan then says nothing of what is there now. */
  late: boolean;
}
