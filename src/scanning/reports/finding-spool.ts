import { Invalid } from '../../common/errors/invalid.js';
import { LineSplitter } from '../../common/http/json-splitters.js';
import { AssetCollection, type NamedAsset } from './asset-collection.js';
import { NamedFindings } from './named-findings.js';
import { maxFindings, type Report, type ReportEntry, type ReportFinding } from './report-finding.js';
import { Spool } from './spool.js';

/** A finding as it waits to be written: its asset by uri. */
export type SpooledFinding = Omit<ReportFinding, 'asset'> & { assetUri: string };

// Unspecified: how much the findings of one report come to. A result may name what is long elsewhere in the report.
const maxBytes = 512 * 2 ** 20;

const batchFindings = 1_000;
const batchBytes = 2 * 2 ** 20;

function unplaced(): Invalid {
  return Invalid.at(
    ['query', 'asset'],
    'missing',
    'The report names nothing that it is about: name it by the query parameter asset, such as the address of the ' +
      'repository or a name, so that it meets no other report in one asset',
  );
}

/** The findings of a report, read and waiting to be written: the transaction that does it is short, and can be repeated. */
export class FindingSpool {
  readonly assets: AssetCollection;
  readonly skipped = new NamedFindings();
  readonly cut = new NamedFindings();
  findings = 0;
  private unplaced = 0;
  private bytes = 0;

  private constructor(
    private readonly spool: Spool,
    readonly named: NamedAsset | null,
  ) {
    this.assets = new AssetCollection(named);
  }

  /**
   * Reads all findings of the report, which are of the asset where one is named; the caller closes what is returned.
   * `Invalid` for the report, also where neither it nor the caller says what it is about.
   */
  static async of(report: Report, named: NamedAsset | null): Promise<FindingSpool> {
    const spool = await Spool.open();
    const findings = new FindingSpool(spool, named);
    try {
      for (const reason of report.unread) findings.cut.add(null, reason);
      for await (const entries of report.entries()) await findings.add(entries);
      findings.conclude(report);
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
      if (index >= maxFindings) this.skipped.add(index, `More than ${maxFindings} findings: split the report`);
      else if ('finding' in entry) await this.keep(index, entry.finding, entry.cut);
      else {
        this.skipped.add(index, entry.skipped);
        if (entry.unplaced) this.unplaced++;
      }
    }
  }

  private async keep(index: number, { asset, ...finding }: ReportFinding, cut: string | null): Promise<void> {
    const assetUri = this.assets.add(asset);
    if (assetUri === null) return this.skipped.add(index, AssetCollection.tooMany);
    const line = Buffer.from(`${JSON.stringify({ ...finding, assetUri } satisfies SpooledFinding)}\n`);
    this.bytes += line.length;
    if (this.bytes > maxBytes) return this.skipped.add(index, 'The findings say too much together: split the report');
    if (cut !== null) this.cut.add(index, cut);
    await this.spool.write(line);
  }

  /** A report that found nothing is still about something, and must say what. */
  private conclude({ about, isUnplaced }: Report): void {
    if (this.findings > this.skipped.count) return;
    if (!this.named && (this.unplaced > 0 || isUnplaced)) throw unplaced();
    for (const asset of about) this.assets.add(asset);
  }
}
