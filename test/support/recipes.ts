import { readFileSync } from 'node:fs';
import { RunsService } from '../../src/scanning/workflows/runs.service.js';
import type { Receiver } from './receiver.js';
import type { ScanningRows } from './scanning-rows.js';
import type { TestApp } from './test-app.js';

const page = readFileSync(new URL('../../docs/pipelines.md', import.meta.url), 'utf8');

export interface Recipe {
  /** The workflow as a file, with words in capitals for what is one's own. */
  file: string;
  /** The lines of what arrives. */
  arrives: string[];
}

/** A recipe of docs/pipelines.md. */
export function recipe(title: string): Recipe {
  const text = page.split(`### ${title}\n`)[1]?.split('\n##')[0] ?? '';
  const block = (language: string) => new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(text)?.[1] ?? '';
  return { file: block('json'), arrives: block('text').trim().split('\n') };
}

/** The workflow of a recipe, with these words in place of those in capitals. */
export function workflowOf(title: string, words: Record<string, string>): object {
  const { file } = recipe(title);
  const own = Object.entries(words).reduce((text, [word, value]) => text.replace(word, value), file);
  return JSON.parse(own) as object;
}

/** The issue that the recipes are about. */
export async function insertRecipeIssue(rows: ScanningRows, tagIds: string[] = []): Promise<string> {
  const asset = await rows.asset({ name: 'web shop' }, tagIds);
  const issue = await rows.issue(asset, { severity: 'CRITICAL' });
  await rows.target(issue, { codeFile: { path: 'src/search.ts', line: 42 } });
  return issue;
}

/** The scan that failed in a recipe. */
export async function insertRecipeScan(rows: ScanningRows): Promise<string> {
  const asset = await rows.asset({ name: 'web shop' });
  const failed = { status: 'FAILED', failure_reason: 'The scanner ran out of memory' };
  return rows.scan(await rows.profile(), failed, [asset]);
}

/** Runs a scheduled workflow as if its time had come. */
export async function runAtSchedule(app: TestApp, id: string): Promise<void> {
  const [row] = await app.database.rows<{ at: Date }>('SELECT scheduled_for AS at FROM workflows WHERE id = $1', [id]);
  await app.nest.get(RunsService, { strict: false }).runScheduled(id, row?.at ?? new Date());
}

/** The next body that arrives, without the links of Slack. */
export async function nextBody(receiver: Receiver, work: () => Promise<unknown>): Promise<string> {
  const before = receiver.received.length;
  await work();
  await receiver.has(before + 1);
  return String(receiver.received[before]?.bytes).replace(/<http[^|>]*\|([^>]*)>/g, '$1');
}
