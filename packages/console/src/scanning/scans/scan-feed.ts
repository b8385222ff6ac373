import type { ResourceScan, ScanPage } from '@store-service/sdk';
import { readAnew } from '../../api/changed.js';
import { queries } from '../../api/queries.js';
import { session } from '../../api/session.svelte.js';
import { Arrivals } from '../events/arrivals.js';
import { type ScanListFilter, withChange } from './scan-pages.js';

type Listed = ScanPage | { pages: ScanPage[]; pageParams: unknown[] };

const holds = (pages: ScanPage[], id: string): boolean => pages.some(({ data }) => data.some((one) => one.id === id));

/** Shows scans in their current state everywhere, without requesting the lists again. */
export function showChanges(scans: ResourceScan[]): void {
  for (const scan of scans) queries.setQueryData(['scan', scan.id], scan);
  for (const { queryKey } of queries.getQueryCache().findAll({ queryKey: ['scans', session.organization?.id] })) {
    const filter = queryKey[2] as ScanListFilter;
    const listed = queries.getQueryData<Listed>(queryKey);
    if (!listed) continue;
    const before = 'pages' in listed ? listed.pages : [listed];
    // It does not say which assets a scan has: whether the scan belongs to the list must be requested.
    const isAsked = (scan: ResourceScan) => !filter.assetIds?.length || holds(before, scan.id);
    const pages = scans.filter(isAsked).reduce((so: ScanPage[], scan) => withChange(so, filter, scan), before);
    queries.setQueryData(queryKey, 'pages' in listed ? { ...listed, pages } : pages[0]);
    if (!scans.every(isAsked)) readAnew(queryKey);
  }
}

/** Follows the organization's scans through one connection until the returned function is called. */
export function followScans(): () => void {
  const queryKey = ['scans', session.organization?.id];
  const arrivals = new Arrivals(
    { follow: ['SCANS'] },
    { begin: () => readAnew(queryKey), change: showChanges, show: () => undefined },
  );
  return () => arrivals.stop();
}
