import { type ImportedIssue, type ImportResult, type StoreClient, wholePages } from '@store-service/sdk';
import { createReadStream } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Failure } from '../failure.js';

/** All issues of an import, the worst first. */
export interface ListedIssues {
  issues(): AsyncIterable<ImportedIssue>;
  remove(): Promise<void>;
}

/** All issues of an import, in a file of its own: a report may have more than fit into memory, and they are read twice. */
export class IssueList implements ListedIssues {
  private constructor(private readonly folder: string) {}

  private get file(): string {
    return join(this.folder, 'issues.jsonl');
  }

  /** Fetches the issues of an import, page by page. A `Failure` where the service lists fewer than it counted. */
  static async fetch(api: StoreClient, result: ImportResult): Promise<IssueList> {
    if ((result.listed as boolean | undefined) !== true) {
      throw new Failure('The service is older than this client, and lists only the worst issues: update it');
    }
    const list = new IssueList(await mkdtemp(join(tmpdir(), 'store-gate-')));
    try {
      const listed = await list.write(api, result.scan.id);
      const counted = issuesIn(result);
      if (listed !== counted) {
        throw new Failure(`The service counts ${counted} issues and lists ${listed}: import the report again`);
      }
      return list;
    } catch (error) {
      await list.remove();
      throw error;
    }
  }

  /** The issues, the worst first. */
  async *issues(): AsyncGenerator<ImportedIssue> {
    for await (const line of createInterface({ input: createReadStream(this.file), crlfDelay: Infinity })) {
      yield JSON.parse(line) as ImportedIssue;
    }
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }

  private async write(api: StoreClient, importId: string): Promise<number> {
    const file = await open(this.file, 'wx', 0o600);
    try {
      let listed = 0;
      for await (const page of wholePages((query) => api.importPages.list({ path: { id: importId }, query }))) {
        const lines = page.data.map((issue) => `${JSON.stringify(issue)}\n`);
        await file.write(lines.join(''));
        listed += page.data.length;
      }
      return listed;
    } finally {
      await file.close();
    }
  }
}

/** How many issues an import has, by its counts. */
function issuesIn({ bySeverity: { created, seen, reopened, gone } }: ImportResult): number {
  return [created, seen, reopened, gone]
    .flatMap((counts) => Object.values<number>(counts))
    .reduce((sum, count) => sum + count, 0);
}
