import type { IssueSeverity } from '@store-service/sdk';

/** When a build is stopped. */
export interface Gate {
  /** The least severity that closes it. */
  failOn: IssueSeverity;
  /** Whether only what a build brings counts. */
  newOnly: boolean;
}

export const gateFile = '.store-gate.yml';

/** The policy as the client reads it. */
export const policyOf = ({ failOn, newOnly }: Gate): string =>
  `failOn: ${failOn.toLowerCase()}\n${newOnly ? 'newOnly: true\n' : ''}`;

const importOf = (origin: string, key: string) =>
  `STORE_API_URL=${origin} STORE_API_KEY=${key} store scans import results.sarif`;

/** What a build calls: it ends with 6 where the gate is closed. */
export const callWithPolicy = (origin: string, key = '…'): string => `${importOf(origin, key)} --policy ${gateFile}`;

/** The same without a file. */
export const callWithKey = (origin: string, key: string): string => `${importOf(origin, key)} --fail-on high`;
