import type { Caller } from '../caller.js';
import type { Client } from '../client.js';

const rules = ['sql-injection', 'weak-hash', 'open-redirect', 'path-traversal', 'xss'];
const levels = ['error', 'warning', 'note'];

/** A commit of a branch: when it was made, and the rules that its code breaks. */
interface Commit {
  sha: string;
  branch: string;
  committedAt: string;
  found: string[];
}

/**
 * Imports SARIF reports of its branches, each once by its key. What a report lacks is gone. At times the report of an older
 * commit arrives after that of a newer one.
 */
export class Pipeline implements Client {
  readonly weight = 4;
  private readonly commits: Commit[] = [];

  constructor(readonly caller: Caller) {}

  async act(): Promise<void> {
    const { random } = this.caller;
    const commit = this.commits.length > 0 && random.chance(0.4) ? random.pick(this.commits) : this.commit();
    const { sha, branch, committedAt, found } = commit;
    const report = {
      version: '2.1.0',
      runs: [
        {
          tool: { driver: { name: 'Simulated scanner', rules: rules.map((id) => ({ id })) } },
          invocations: [{ executionSuccessful: true }],
          results: found.map((ruleId) => this.resultOf(ruleId, levels[rules.indexOf(ruleId) % levels.length])),
        },
      ],
    };
    const query = new URLSearchParams({
      asset: `${this.caller.name}.example.com`,
      branch,
      defaultBranch: 'main',
      commit: sha,
      committedAt,
      resolveGone: 'true',
    });
    const headers = { 'idempotency-key': random.uuid(), 'content-type': 'application/sarif+json' };
    const text = JSON.stringify(report);
    await this.caller.callSurely('POST', `/api/v1/scans/import?${query.toString()}`, { text, headers });
  }

  /** Makes the next commit: each a second or more after the one before, whatever the clock says. */
  private commit(): Commit {
    const { random } = this.caller;
    const last = Date.parse(this.commits.at(-1)?.committedAt ?? '2027-01-01T00:00:00Z');
    const commit = {
      sha: (this.commits.length + 1).toString(16).padStart(40, '0'),
      branch: random.pick(['main', 'main', 'feature']),
      committedAt: new Date(Math.max(Date.now() - 60_000, last + 1_000)).toISOString(),
      found: rules.filter(() => random.chance(0.6)),
    };
    this.commits.push(commit);
    return commit;
  }

  private resultOf(ruleId: string, level: string | undefined) {
    const physicalLocation = { artifactLocation: { uri: `src/${ruleId}.ts` }, region: { startLine: 7 } };
    return { ruleId, level, message: { text: `Found ${ruleId}` }, locations: [{ physicalLocation }] };
  }
}
