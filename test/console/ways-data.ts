import { ScanningRows } from '../support/scanning-rows.js';
import type { TestApp } from '../support/test-app.js';

/** What a scanner found, each at a place of its own, in a repository with this name. */
export const reportOf = (repository: string) =>
  Buffer.from(
    JSON.stringify({
      version: '2.1.0',
      runs: [
        {
          tool: { driver: { name: 'Ways Scanner', rules: [{ id: 'W1', name: 'Token in a log' }] } },
          versionControlProvenance: [{ repositoryUri: `https://code.example/acme/${repository}` }],
          results: Array.from({ length: 10 }, (_, index) => ({
            ruleId: 'W1',
            level: 'error',
            message: { text: `A token is written to log ${index}` },
            locations: [{ physicalLocation: { artifactLocation: { uri: `src/log-${index}.ts` } } }],
          })),
        },
      ],
    }),
  );

/** Inserts critical issues of an asset of their own, the last one as the newest: the first of the list. */
export async function insertIssues(app: TestApp, organizationId: string, names: readonly string[]): Promise<void> {
  const things = new ScanningRows(app, organizationId);
  const assetId = await things.asset();
  for (const name of names) await things.issue(assetId, { name, severity: 'CRITICAL' });
}
