import type { IdentifierType } from '../../../../../src/scanning/issues/issue-detail.dto.js';
import type { TagName } from './company.js';

/** The identifiers of issues, by their names. */
export const identifiers: Readonly<Record<string, readonly { type: IdentifierType; value: string }[]>> = {
  'Query is put together from user input': [{ type: 'CWE', value: 'CWE-89' }],
  'SQL injection in the order search': [{ type: 'CWE', value: 'CWE-89' }],
  'Review can carry a script': [{ type: 'CWE', value: 'CWE-79' }],
  'Search term is written into the page unescaped': [{ type: 'CWE', value: 'CWE-79' }],
  'Random number for a token is not random enough': [{ type: 'CWE', value: 'CWE-338' }],
  'Archive is unpacked to wherever it says': [
    { type: 'CVE', value: 'CVE-2007-4559' },
    { type: 'CWE', value: 'CWE-22' },
  ],
  'Pattern can take very long': [
    { type: 'CVE', value: 'CVE-2021-3807' },
    { type: 'CWE', value: 'CWE-1333' },
  ],
  'Library with known weaknesses': [
    { type: 'CVE', value: 'CVE-2020-11023' },
    { type: 'CVE', value: 'CVE-2019-11358' },
    { type: 'CVE', value: 'CVE-2015-9251' },
    { type: 'CWE', value: 'CWE-79' },
  ],
  'Old TLS versions are accepted': [
    { type: 'CVE', value: 'CVE-2011-3389' },
    { type: 'CWE', value: 'CWE-326' },
  ],
  'SSH is open to the world': [{ type: 'CVE', value: 'CVE-2024-6387' }],
};

export interface Assignment {
  assignee?: string;
  /** In so many days; days ago if it is less than 0. */
  dueInDays?: number;
  ticket?: string;
  /** An acceptance by the assignee. */
  accepted?: { reason: string; forDays: number };
}

/** Who works at issues until when, by the names of the issues. */
export const assignments: Readonly<Record<string, Assignment>> = {
  'SQL injection in the order search': {
    assignee: 'priya_nair',
    dueInDays: -2,
    ticket: 'https://tickets.harbour-outfitters.example/SHOP-412',
  },
  'Review can carry a script': { assignee: 'kenji.t', dueInDays: 3 },
  'Query is put together from user input': { assignee: 'priya_nair', dueInDays: 12 },
  'Price can be set by the customer': { assignee: 'kenji.t', dueInDays: 9 },
  'Library with known weaknesses': { dueInDays: 5 },
  'SSH is open to the world': { assignee: 'kenji.t', dueInDays: 1 },
  'Archive is unpacked to wherever it says': {
    assignee: 'priya_nair',
    accepted: { reason: 'The repository is archived; nothing runs from it.', forDays: 60 },
  },
};

/** In how many days the company fixes its issues, and who gets those of assets with a tag. */
export const policy: {
  days: { critical: number; high: number; medium: number };
  assignees: readonly { tag: TagName; username: string }[];
} = {
  days: { critical: 7, high: 30, medium: 90 },
  assignees: [
    { tag: 'payments', username: 'kenji.t' },
    { tag: 'production', username: 'priya_nair' },
  ],
};

/** A pull request that was scanned too, and has the same issue still. */
export const pullRequest = {
  asset: 'storefront-api',
  branch: 'feature/order-search',
  number: '128',
  issue: 'Query is put together from user input',
  daysAgo: 1.6,
};
