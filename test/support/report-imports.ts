import type { Issue } from '../../src/scanning/issues/issues.dto.js';
import type { ImportResult } from '../../src/scanning/reports/reports.dto.js';
import type { ApiAnswer, ApiClient, ApiRequest } from './api-client.js';
import type { TestApp } from './test-app.js';

/** A SARIF log of one run over the sources of a shop. */
export function sarifLog(results: object[], run: object = {}): object {
  const versionControlProvenance = [{ repositoryUri: 'https://code.example/acme/shop' }];
  return {
    version: '2.1.0',
    runs: [{ tool: { driver: { name: 'Lint' } }, versionControlProvenance, results, ...run }],
  };
}

/** A result of a rule in a file. */
export function sarifResult(ruleId: string, uri = 'src/a.ts', more: object = {}): object {
  return {
    ruleId,
    level: 'error',
    message: { text: `Broken by ${ruleId}` },
    locations: [
      { physicalLocation: { artifactLocation: { uri }, region: { startLine: 3, snippet: { text: 'eval(x)' } } } },
    ],
    ...more,
  };
}

/** A report of ZAP about one site. */
export function zapReport(alerts: object[], name = 'https://shop.example'): object {
  return { '@programName': 'ZAP', '@version': '2.15.0', '@generated': 'now', site: [{ '@name': name, alerts }] };
}

export function zapAlert(pluginid: string, more: object = {}): object {
  const instances = [{ uri: `https://shop.example/${pluginid}`, method: 'GET', param: '' }];
  return {
    pluginid,
    alertRef: pluginid,
    name: `Alert ${pluginid}`,
    riskcode: '2',
    desc: '<p>d</p>',
    cweid: '79',
    instances,
    ...more,
  };
}

export function nucleiLine(template: string, more: object = {}): string {
  const url = 'https://shop.example';
  return JSON.stringify({
    'template-id': template,
    info: { name: template, severity: 'low' },
    host: url,
    'matched-at': `${url}/${template}`,
    ...more,
  });
}

/** Calls the import with one token. */
export class Imports {
  constructor(
    private readonly api: ApiClient,
    private readonly token: string | undefined,
  ) {}

  send(body: ApiRequest['raw'], query = '', headers: Record<string, string> = {}): Promise<ApiAnswer<ImportResult>> {
    return this.api.post<ImportResult>(`/api/v1/scans/import${query}`, {
      ...(this.token === undefined ? {} : { token: this.token }),
      ...(body === undefined ? {} : { raw: body }),
      headers: { 'content-type': 'application/json', ...headers },
    });
  }

  sendForm(form: FormData): Promise<ApiAnswer<ImportResult>> {
    return this.api.post<ImportResult>('/api/v1/scans/import', {
      ...(this.token === undefined ? {} : { token: this.token }),
      raw: form,
    });
  }

  /** Imports a report that must be accepted. */
  async import(report: object | string, query = ''): Promise<ImportResult> {
    const { status, body } = await this.send(typeof report === 'string' ? report : JSON.stringify(report), query);
    if (status !== 201) throw new Error(`The import answered ${status} ${JSON.stringify(body)}`);
    return body;
  }
}

/** Reads an organization's issues with one token. */
export class FoundIssues {
  constructor(
    private readonly api: ApiClient,
    private readonly token: string,
  ) {}

  async list(query = ''): Promise<Omit<Issue, 'targets'>[]> {
    const answer = await this.api.get<{ data: Issue[] }>(`/api/v1/issues?size=100${query}`, { token: this.token });
    return answer.body.data;
  }

  async named(name: string): Promise<Issue> {
    const issue = (await this.list()).find((one) => one.name === name);
    if (!issue) throw new Error(`There is no issue ${name}`);
    return (await this.api.get<Issue>(`/api/v1/issues/${issue.id}`, { token: this.token })).body;
  }
}

const tables = [
  'profiles',
  'assets',
  'scans',
  'scan_assets',
  'issues',
  'issue_scans',
  'issue_targets',
  'issue_activities',
  'scan_events',
];

/** The number of rows in each table that imports write. */
export async function rowCounts(app: Pick<TestApp, 'database'>): Promise<Record<string, number>> {
  const counts = tables.map((table) => `(SELECT count(*)::int FROM ${table}) AS ${table}`);
  const [row] = await app.database.rows<Record<string, number>>(`SELECT ${counts.join(', ')}`);
  return row ?? {};
}
