/** What the position of a scan in lists depends on. */
export interface ListedScan {
  id: string;
  createdAt: string;
  status: string;
  kind: string;
  applicationId: string;
}

type Position = Pick<ListedScan, 'id' | 'createdAt'>;

export interface ListedPage<Scan extends ListedScan> {
  data: Scan[];
  nextCursor: string | null;
  /** Where the next page begins to list, even if the last scan of this one has left it. */
  reach?: Position | undefined;
}

/** The filters of a list of scans; the third part of its key, after the organization. */
export interface ScanListFilter {
  statuses?: readonly string[];
  kinds?: readonly string[];
  profileIds?: readonly string[];
  assetIds?: readonly string[];
}

const isNewer = (one: Position, other: Position): boolean =>
  one.createdAt === other.createdAt ? one.id > other.id : one.createdAt > other.createdAt;

const isOneOf = <T>(values: readonly T[] | undefined, value: T): boolean =>
  values === undefined || values.length === 0 || values.includes(value);

const matches = ({ statuses, kinds, profileIds }: ScanListFilter, scan: ListedScan): boolean =>
  isOneOf(statuses, scan.status) && isOneOf(kinds, scan.kind) && isOneOf(profileIds, scan.applicationId);

/** The pages of a list after a scan was made or changed: newest first, as far as they reach. */
export function withChange<Scan extends ListedScan, Page extends ListedPage<Scan>>(
  pages: Page[],
  filter: ScanListFilter,
  scan: Scan,
): Page[] {
  const without = pages.map((page) => {
    const { data, reach = data.at(-1) } = page;
    return { ...page, reach, data: data.filter(({ id }) => id !== scan.id) };
  });
  if (!matches(filter, scan)) return without;
  const at = without.findIndex(
    ({ reach, nextCursor }) => nextCursor === null || (reach !== undefined && !isNewer(reach, scan)),
  );
  return without.map((page, index) => {
    if (index !== at) return page;
    const before = page.data.filter((one) => isNewer(one, scan));
    return { ...page, data: [...before, scan, ...page.data.slice(before.length)] };
  });
}
