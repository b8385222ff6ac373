import { setImmediate as othersFirst, setTimeout as sleep } from 'node:timers/promises';
import { Invalid } from '../../platform/errors/invalid.js';
import { SpoolFile } from '../spool-file.js';
import { AssetCollection, type NamedAsset, type NamedAssets } from './asset-collection.js';
import { AbsentFindings } from './absent-findings.js';
import { maxFindings, type Report, type ReportEntry, type ReportFinding, type SkippedEntry } from './report-finding.js';
import type { NamedFinding } from './reports.dto.js';

// Unspecified: how many of them a response names; it counts all.
const mostNamed = 1_000;

/** Findings with remarks: lists the first ones, and counts all. */
class NamedFindings {
  readonly named: NamedFinding[] = [];
  count = 0;

  add(index: number | null, reason: string): void {
    if (this.count++ < mostNamed) this.named.push({ index, reason });
  }
}

/** A finding before it is written, with its asset by uri. */
export type SpooledFinding = Omit<ReportFinding, 'asset'> & { assetUri: string };

// Unspecified: the most bytes of the findings of one report. A result may refer to a long text elsewhere in it.
const maxBytes = 512 * 2 ** 20;

/** Stands for any of the report's tools. */
const anyTool = -1;

/** The wait for the next batch: an idle transaction holds a connection and locks. */
const patienceMs = 10_000;

/** The findings added at once: PostgreSQL may wait for the next statement meanwhile. */
const atOnce = 10;

/**
 * The size of one batch, and of one line of the file, which is parsed at once. Of a thousand findings, so much is in
 * memory until they are written that half of the processor's time goes to collecting garbage.
 */
const most = { findings: 250, bytes: 2 ** 21 };
const mostOfLine = { findings: 50, characters: 2 ** 18 };

function unplaced(): Invalid {
  return Invalid.at(
    ['query', 'asset'],
    'missing',
    'The report does not name the asset that it is about: name it with the query parameter asset (a name or the ' +
      'address of the repository), so that it is not mixed up with other reports',
  );
}

/** The findings have other assets than expected, or arrive too slowly: write them once all are read. */
export class NotAsExpected extends Error {}

/** The promise's value; `NotAsExpected` where it takes longer than until a time. */
async function until<T>(end: number, promise: Promise<T>): Promise<T> {
  if (end === Infinity) return promise;
  promise.catch(() => undefined);
  const timer = new AbortController();
  const late = sleep(Math.max(0, end - performance.now()), undefined, { signal: timer.signal }).then(() => {
    throw new NotAsExpected();
  });
  return Promise.race([promise, late]).finally(() => timer.abort());
}

/** The findings of a report, read into a spool file: writers may follow the reading, and start again. */
export class SpooledFindings {
  /** Resolves when all are read; only then are the fields below final. */
  readonly whole: Promise<void>;
  /** The asset of all findings, if the report gives it before them; null if it does not. */
  readonly expected: AssetCollection | null;
  readonly assets: AssetCollection;
  readonly skipped = new NamedFindings();
  readonly cut = new NamedFindings();
  readonly absent = new AbsentFindings();
  findings = 0;
  /** The number of skipped findings by tool, -1 for an unknown tool: their known issues do not count as gone. */
  private readonly unread = new Map<number, number>();
  /** The uris of the assets of each tool. */
  private readonly urisByTool = new Map<number, Set<string>>();
  private unplaced = 0;
  /** The JSON of findings that are not in the spool file yet. */
  private line: string[] = [];
  private lineCharacters = 0;
  private bytes = 0;
  private readonly spool = new SpoolFile();
  private readonly named: NamedAsset | null;
  private isClosed = false;
  private ahead: Promise<unknown> = Promise.resolve();

  /**
   * Begins to read the findings of the report, about this asset if one is given. `whole` rejects with `Invalid` for a
   * broken report, and where neither it nor the caller names its asset. The caller closes it.
   */
  constructor(report: Report, { named, fallback }: NamedAssets) {
    this.named = named;
    this.assets = new AssetCollection(named, fallback);
    const expected = new AssetCollection(named, fallback);
    for (const { about } of report.tools) for (const asset of about) expected.add(asset);
    this.expected = expected.size === 1 ? expected : null;
    this.whole = this.read(report);
    this.whole.catch(() => undefined);
  }

  /**
   * The findings in their order, a batch of one tool at a time, while they are read. `NotAsExpected` where they do not
   * have the `assets`, or a batch takes longer than `withinMs`; throws what `whole` rejects with.
   */
  async *batches(assets: AssetCollection, withinMs = patienceMs): AsyncGenerator<SpooledFinding[]> {
    let batch: SpooledFinding[] = [];
    let bytes = 0;
    const pieces = this.spool.linesUntil(this.whole);
    const deadline = (): number => (assets === this.assets ? Infinity : performance.now() + withinMs);
    let end = deadline();
    for (let piece = await until(end, pieces.next()); !piece.done; piece = await until(end, pieces.next())) {
      for (const line of piece.value) {
        await othersFirst();
        this.assertOf(assets);
        for (const finding of JSON.parse(line.toString()) as SpooledFinding[]) {
          // Each tool has a scan of its own.
          if (batch[0] && batch[0].tool !== finding.tool) {
            yield batch;
            [batch, bytes] = [[], 0];
            end = deadline();
          }
          batch.push(finding);
        }
        bytes += line.length;
        if (batch.length < most.findings && bytes < most.bytes) continue;
        yield batch;
        [batch, bytes] = [[], 0];
        end = deadline();
      }
    }
    this.assertOf(assets);
    if (batch.length > 0) yield batch;
  }

  /** The assets of a tool among all of the report, by their uris, as far as they are known before all findings are. */
  urisOf(tool: number, assets: AssetCollection): ReadonlySet<string> | 'all' {
    return assets === this.assets ? (this.urisByTool.get(tool) ?? new Set()) : 'all';
  }

  /** How many findings of a tool may exist that could not be read. */
  unreadOf(tool: number): number {
    return (this.unread.get(tool) ?? 0) + (this.unread.get(anyTool) ?? 0);
  }

  /** Runs the work on a batch; the reading waits for it. */
  work<T>(run: () => Promise<T>): Promise<T> {
    const running = run();
    this.ahead = running.catch(() => undefined);
    return running;
  }

  /** Stops reading, and releases everything it has read. */
  async close(): Promise<void> {
    this.isClosed = true;
    await this.whole.catch(() => undefined);
    await this.spool.close();
  }

  private assertOf(assets: AssetCollection): void {
    if (assets !== this.assets && !this.assets.isWithin(assets)) throw new NotAsExpected();
  }

  private async read(report: Report): Promise<void> {
    for (const reason of report.unread) this.cut.add(null, reason);
    for await (const entries of report.entries()) {
      if (this.isClosed) return;
      await this.add(entries);
    }
    await this.flush();
    this.conclude(report);
  }

  private async add(entries: ReportEntry[]): Promise<void> {
    for (const entry of entries) {
      const index = this.findings++;
      if (index % atOnce === 0) await this.othersFirst();
      if (index >= maxFindings) this.skip(index, `More than ${maxFindings} findings: split the report`);
      else if ('finding' in entry) await this.keep(index, entry.finding, entry.cut);
      else if (entry.isNone) this.leaveOut(index, entry);
      else {
        this.skip(index, entry.skipped, entry.tool);
        if (entry.unplaced) this.unplaced++;
      }
    }
  }

  private async othersFirst(): Promise<void> {
    await othersFirst();
    await this.ahead;
  }

  private skip(index: number, reason: string, tool = anyTool): void {
    this.unread.set(tool, (this.unread.get(tool) ?? 0) + 1);
    this.skipped.add(index, reason);
  }

  private leaveOut(index: number, { skipped, absent, tool = 0 }: SkippedEntry): void {
    this.skipped.add(index, skipped);
    const assetUri = absent ? this.assets.add(absent.asset) : null;
    if (!absent || assetUri === null) return;
    this.absent.add(tool, assetUri, absent);
    this.addUri(tool, assetUri);
  }

  private addUri(tool: number, uri: string): void {
    const known = this.urisByTool.get(tool);
    if (known) known.add(uri);
    else this.urisByTool.set(tool, new Set([uri]));
  }

  private async keep(index: number, finding: ReportFinding, cut: string | null): Promise<void> {
    const assetUri = this.assets.add(finding.asset);
    if (assetUri === null) return this.skip(index, AssetCollection.tooMany, finding.tool);
    const json = JSON.stringify({ ...finding, asset: undefined, assetUri } satisfies SpooledFinding & {
      asset: undefined;
    });
    this.bytes += Buffer.byteLength(json);
    if (this.bytes > maxBytes) {
      return this.skip(index, 'The findings are too large together: split the report', finding.tool);
    }
    this.addUri(finding.tool ?? 0, assetUri);
    if (cut !== null) this.cut.add(index, cut);
    this.line.push(json);
    this.lineCharacters += json.length;
    const { findings, characters } = mostOfLine;
    if (this.line.length >= findings || this.lineCharacters >= characters) await this.flush();
  }

  private async flush(): Promise<void> {
    if (this.line.length === 0) return;
    const text = `[${this.line.join(',')}]`;
    this.line = [];
    this.lineCharacters = 0;
    await this.spool.writeLine(text);
  }

  /** A tool without findings is still about something, and must name it. */
  private conclude({ tools, isUnplaced }: Report): void {
    const isEmpty = this.findings === this.skipped.count;
    const isUnknown = !this.named && this.assets.isEmpty && (this.unplaced > 0 || isUnplaced);
    if (isEmpty && isUnknown) throw unplaced();
    for (const [tool, { about }] of tools.entries()) {
      if (this.urisByTool.has(tool) && !isEmpty) continue;
      for (const asset of about) {
        const uri = this.assets.add(asset);
        if (uri !== null) this.addUri(tool, uri);
      }
    }
  }
}
