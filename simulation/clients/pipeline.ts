import type { Caller } from '../caller.js';
import type { Client } from '../client.js';

const rules = ['sql-injection', 'weak-hash', 'open-redirect', 'path-traversal', 'xss'];
const levels = ['error', 'warning', 'note'];

/** Imports SARIF reports of its branches, each once by its key. What a report lacks is gone. */
export class Pipeline implements Client {
  readonly weight = 2;
  private commits = 0;

  constructor(readonly caller: Caller) {}

  async act(): Promise<void> {
    const { random } = this.caller;
    const branch = random.pick(['main', 'main', 'feature']);
    const found = rules.filter(() => random.chance(0.6));
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
    const commit = (++this.commits).toString(16).padStart(40, '0');
    const query = new URLSearchParams({
      asset: `${this.caller.name}.example.com`,
      branch,
      defaultBranch: 'main',
      commit,
    });
    const headers = { 'idempotency-key': random.uuid(), 'content-type': 'application/sarif+json' };
    const text = JSON.stringify(report);
    await this.caller.callSurely('POST', `/api/v1/scans/import?${query.toString()}&resolveGone=true`, {
      text,
      headers,
    });
  }

  private resultOf(ruleId: string, level: string | undefined) {
    const physicalLocation = { artifactLocation: { uri: `src/${ruleId}.ts` }, region: { startLine: 7 } };
    return { ruleId, level, message: { text: `Found ${ruleId}` }, locations: [{ physicalLocation }] };
  }
}
