import type { IssueSeverity } from '../vocabulary.js';

/** What a notification is about. */
export type NoticeRoot = 'issues' | 'assets' | 'scans' | 'integrations' | 'locations';

/** One thing that a notification names, in texts without credentials. */
export interface NoticeItem {
  id: string;
  name: string;
  /** The severity and status of an issue, or the kind and status of a scan. */
  severity: IssueSeverity | null;
  category: string;
  status: string;
  /** Where it is, such as a file with its line; for a failed scan, why it failed. */
  place: string;
  asset: string;
  url: string;
}

/** What a notification says, whatever its form. */
export interface Notice {
  title: string;
  organization: string;
  workflow: string;
  trigger: string;
  /** The page of the console with everything. */
  url: string;
  issues: Record<IssueSeverity, number>;
  total: number;
  /** The worst first. */
  items: NoticeItem[];
  /** How many more there are than `items`. */
  more: number;
}

/** An item in a line, without its link. */
export function lineOf({ severity, name, place, asset }: NoticeItem): string {
  const where = [asset, place].filter((one) => one !== '').join(', ');
  return `${severity === null ? '' : `${severity} `}${name}${where === '' ? '' : ` (${where})`}`;
}
