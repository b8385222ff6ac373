import { Invalid } from '../../common/errors/invalid.js';
import { SpoolFile } from '../spool-file.js';
import { AssetCollection, type NamedAsset, type NamedAssets } from './asset-collection.js';
import { NamedFindings } from './named-findings.js';
import { AbsentFindings } from './absent-findings.js';
import { maxFindings, type Report, type ReportEntry, type ReportFinding, type SkippedEntry } from './report-finding.js';

/** A finding as it waits to be written, with its asset by uri. */
export type SpooledFinding = Omit<ReportFinding, 'asset'> & { assetUri: string };

// Unspecified: how many bytes the findings of one report may come to. A result may refer to a long text elsewhere in it.
const maxBytes = 512 * 2 ** 20;

/** A batch is parsed at once, and prepared while others wait. */
const batchFindings = 1_000;
const batchCharacters = 2 ** 21;

function unplaced(): Invalid {
  return Invalid.at(
    ['query', 'asset'],
    'missing',
    'The report names nothing that it is about: name it by the query parameter asset, such as the address of the ' +
      'repository or a name, so that it meets no other report in one asset',
  );
}

/** The findings of a report, read and waiting in a spool file: the transaction that writes them is short, and repeatable. */
export class SpooledFindings {
  readonly assets: AssetCollection;
  readonly skipped = new NamedFindings();
  readonly cut = new NamedFindings();
  readonly absent = new AbsentFindings();
  findings = 0;
  /** How many findings were skipped that may be there: what is known of them is not gone. */
  unread = 0;
  private unplaced = 0;
  /** The JSON of findings that are not in the spool file yet. */
  private batch: string[] = [];
  private batchCharacters = 0;
  private bytes = 0;

  private constructor(
    private readonly spool: SpoolFile,
    private readonly named: NamedAsset | null,
    fallback: NamedAsset | null,
  ) {
    this.assets = new AssetCollection(named, fallback);
  }

  /**
   * Reads all findings of the report, which are of the asset where one is named; the caller closes what is returned.
   * `Invalid` for a broken report, and where neither it nor the caller says what it is about.
   */
  static async of(report: Report, { named, fallback }: NamedAssets): Promise<SpooledFindings> {
    const spool = new SpoolFile();
    const findings = new SpooledFindings(spool, named, fallback);
    try {
      for (const reason of report.unread) findings.cut.add(null, reason);
      for await (const entries of report.entries()) await findings.add(entries);
      await findings.flush();
      findings.conclude(report);
      return findings;
    } catch (error) {
      await spool.close();
      throw error;
    }
  }

  /** The findings in their order, some at a time. */
  async *batches(): AsyncGenerator<SpooledFinding[]> {
    for await (const lines of this.spool.lines()) {
      for (const line of lines) yield JSON.parse(line.toString()) as SpooledFinding[];
    }
  }

  close(): Promise<void> {
    return this.spool.close();
  }

  private async add(entries: ReportEntry[]): Promise<void> {
    for (const entry of entries) {
      const index = this.findings++;
      if (index >= maxFindings) this.skip(index, `More than ${maxFindings} findings: split the report`);
      else if ('finding' in entry) await this.keep(index, entry.finding, entry.cut);
      else if (entry.isNone) this.leaveOut(index, entry);
      else {
        this.skip(index, entry.skipped);
        if (entry.unplaced) this.unplaced++;
      }
    }
  }

  private skip(index: number, reason: string): void {
    this.unread++;
    this.skipped.add(index, reason);
  }

  private leaveOut(index: number, { skipped, absent }: SkippedEntry): void {
    this.skipped.add(index, skipped);
    const assetUri = absent ? this.assets.add(absent.asset) : null;
    if (absent && assetUri !== null) this.absent.add(assetUri, absent);
  }

  private async keep(index: number, { asset, ...finding }: ReportFinding, cut: string | null): Promise<void> {
    const assetUri = this.assets.add(asset);
    if (assetUri === null) return this.skip(index, AssetCollection.tooMany);
    const line = JSON.stringify({ ...finding, assetUri } satisfies SpooledFinding);
    this.bytes += Buffer.byteLength(line);
    if (this.bytes > maxBytes) return this.skip(index, 'The findings say too much together: split the report');
    if (cut !== null) this.cut.add(index, cut);
    this.batch.push(line);
    this.batchCharacters += line.length;
    if (this.batch.length >= batchFindings || this.batchCharacters >= batchCharacters) await this.flush();
  }

  private async flush(): Promise<void> {
    if (this.batch.length === 0) return;
    const line = `[${this.batch.join(',')}]`;
    this.batch = [];
    this.batchCharacters = 0;
    await this.spool.writeLine(line);
  }

  /** A report without findings is still about something, and must say what. */
  private conclude({ about, isUnplaced }: Report): void {
    if (this.findings > this.skipped.count) return;
    if (!this.named && this.assets.isEmpty && (this.unplaced > 0 || isUnplaced)) throw unplaced();
    for (const asset of about) this.assets.add(asset);
  }
}
