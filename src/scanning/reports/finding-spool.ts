import { Invalid } from '../../common/errors/invalid.js';
import { PayloadTooLarge } from '../../common/errors/kinds.js';
import { LineSplitter } from '../../common/http/json-splitters.js';
import { type AssetDraft, uriOf } from '../assets/asset-draft.js';
import type { Report, ReportEntry, ReportFinding } from './report-finding.js';
import type { SkippedFinding } from './reports.shapes.js';
import { Spool } from './spool.js';

/** A finding as it waits to be written: its asset by uri. */
export type SpooledFinding = Omit<ReportFinding, 'asset'> & { assetUri: string };

// Not shown: how much one report may hold, so that what is kept of it in memory is bounded.
const maxFindings = 250_000;
const maxAssets = 20_000;
// All that is skipped is named in the answer; a report of which so much cannot be read is none that is known.
const maxSkipped = 10_000;

const batchFindings = 1_000;
const batchBytes = 2 * 2 ** 20;

/** The findings of a report, read and waiting to be written: the transaction that does it is short, and can be repeated. */
export class FindingSpool {
  readonly assets = new Map<string, AssetDraft>();
  readonly skipped: SkippedFinding[] = [];
  findings = 0;

  private constructor(private readonly spool: Spool) {}

  /** Reads all findings of the report; the caller closes what it answers. `Invalid`, `PayloadTooLarge` for the report. */
  static async of(report: Report): Promise<FindingSpool> {
    const spool = await Spool.open();
    const findings = new FindingSpool(spool);
    try {
      for await (const entries of report.entries()) await findings.add(entries);
      return findings;
    } catch (error) {
      await spool.close();
      throw error;
    }
  }

  /** The findings in their order, some at a time. */
  async *batches(): AsyncGenerator<SpooledFinding[]> {
    const lines = new LineSplitter();
    let batch: SpooledFinding[] = [];
    let bytes = 0;
    for await (const chunk of this.spool.read()) {
      for (const line of lines.push(chunk)) {
        batch.push(JSON.parse(line.toString()) as SpooledFinding);
        bytes += line.length;
        if (batch.length < batchFindings && bytes < batchBytes) continue;
        yield batch;
        batch = [];
        bytes = 0;
      }
    }
    if (batch.length > 0) yield batch;
  }

  close(): Promise<void> {
    return this.spool.close();
  }

  private async add(entries: ReportEntry[]): Promise<void> {
    for (const entry of entries) {
      const index = this.findings++;
      if (index >= maxFindings) throw new PayloadTooLarge(`The report has more than ${maxFindings} findings: split it`);
      if ('skipped' in entry) this.skip(index, entry.skipped);
      else await this.keep(entry.finding);
    }
  }

  private skip(index: number, reason: string): void {
    this.skipped.push({ index, reason });
    if (this.skipped.length <= maxSkipped) return;
    const [first] = this.skipped;
    const why = `More than ${maxSkipped} findings cannot be taken; number ${first?.index}: ${first?.reason}`;
    throw Invalid.at(['body'], 'value_error', why);
  }

  private async keep({ asset, ...finding }: ReportFinding): Promise<void> {
    const assetUri = uriOf(asset);
    if (!this.assets.has(assetUri)) this.assets.set(assetUri, asset);
    if (this.assets.size > maxAssets)
      throw new PayloadTooLarge(`The report is about more than ${maxAssets} assets: split it`);
    await this.spool.write(Buffer.from(`${JSON.stringify({ ...finding, assetUri } satisfies SpooledFinding)}\n`));
  }
}
