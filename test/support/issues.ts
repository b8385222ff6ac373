import type { AppendedIssue, IssueAppendResult } from '../../src/scanning/issues/issue-append.dto.js';
import type { IssuesUpdateResult } from '../../src/scanning/issues/issue-triage.dto.js';
import type { Issue, IssueActivity, IssueTargetPage } from '../../src/scanning/issues/issues.dto.js';
import type { ApiAnswer } from './api-client.js';
import type { TestApp } from './test-app.js';

/** An issue on an asset, as a scanner appends it. */
export function finding(assetId: string, fields: object = {}): object {
  return { name: 'SQL injection', severity: 'HIGH', category: 'INJECTION', assetId, ...fields };
}

/** Calls the routes of issues with one token. */
export class IssueCalls {
  constructor(
    private readonly app: Pick<TestApp, 'api'>,
    private readonly token: string,
  ) {}

  append(scanId: string, issues: unknown): Promise<ApiAnswer<IssueAppendResult>> {
    return this.app.api.post(`/api/v1/scans/${scanId}/issues`, { token: this.token, json: issues });
  }

  /** Appends issues, which must succeed; returns the outcome of each. */
  async appended(scanId: string, ...issues: object[]): Promise<AppendedIssue[]> {
    const { status, body } = await this.append(scanId, issues);
    if (status !== 201) throw new Error(`Appending answered ${status} ${JSON.stringify(body)}`);
    return body.issues;
  }

  /** Appends one issue and returns its id. */
  async one(scanId: string, issue: object): Promise<string> {
    const [only] = await this.appended(scanId, issue);
    if (!only) throw new Error('Appending one issue answered none');
    return only.id;
  }

  async get(id: string): Promise<Issue> {
    return (await this.app.api.get<Issue>(`/api/v1/issues/${id}`, { token: this.token })).body;
  }

  patch(id: string, json: object): Promise<ApiAnswer<Issue>> {
    return this.app.api.send('PATCH', `/api/v1/issues/${id}`, { token: this.token, json });
  }

  patchMany(json: object): Promise<ApiAnswer<IssuesUpdateResult>> {
    return this.app.api.send('PATCH', '/api/v1/issues', { token: this.token, json });
  }

  /** A page of an issue's targets. */
  targets(id: string, query = ''): Promise<ApiAnswer<IssueTargetPage>> {
    return this.app.api.get(`/api/v1/issues/${id}/targets?${query}`, { token: this.token });
  }

  /** An issue's activities, oldest first. */
  async activities(id: string): Promise<IssueActivity[]> {
    const path = `/api/v1/issues/${id}/activities?size=100`;
    return (await this.app.api.get<{ data: IssueActivity[] }>(path, { token: this.token })).body.data.reverse();
  }
}
