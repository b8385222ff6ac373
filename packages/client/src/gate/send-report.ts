import { type ImportResult, type ScansImportData, type StoreClient, streamedBody } from '@store-service/sdk';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { exitCodes, Failure } from '../failure.js';
import { cutToWidth } from '../output/display-width.js';
import { harmlessLine } from '../output/harmless.js';
import type { Output } from '../output/output.js';
import { openReport } from './report-file.js';

const waitsMs = [1_000, 2_000, 4_000, 8_000, 8_000];
/** The longest wait that the service may ask for. */
const longestWaitMs = 60_000;
const mebibyte = 2 ** 20;
const redrawMs = 100;

export type ImportQuery = NonNullable<ScansImportData['query']>;

/** What sending needs from its surroundings. */
export interface Sending {
  api: StoreClient;
  output: Output;
  stdin: NodeJS.ReadableStream;
  notify: (message: string) => void;
}

const frames = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏';

/** Shows on a terminal how much of a report has been sent, and then that the service is at it. */
class UploadProgress {
  sent = 0;
  private shownAt = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly output: Output,
    private readonly file: string,
  ) {}

  show(sent: number, total: number | undefined): void {
    this.sent = sent;
    const now = Date.now();
    if (!this.output.isTerminal || (now - this.shownAt < redrawMs && sent !== total)) return;
    this.shownAt = now;
    const size = (bytes: number) => (bytes / mebibyte).toFixed(1);
    const of = total === undefined ? '' : ` of ${size(total)}`;
    const isWhole = sent === total;
    const percent = total ? ` (${Math.floor((sent / total) * 100)} %)` : '';
    if (isWhole) this.turn(now);
    else this.draw(`${size(sent)}${of} MiB${percent}: ${this.file}`);
  }

  /** The changing part comes first: a line that the terminal wraps cannot be replaced, so its end is cut. */
  private draw(line: string): void {
    this.output.rewriteLine(cutToWidth(harmlessLine(line), Math.max(1, this.output.width - 1)));
  }

  private turn(since: number): void {
    let frame = 0;
    const next = () => {
      const seconds = Math.floor((Date.now() - since) / 1_000);
      const after = seconds > 0 ? ` (${seconds} s)` : '';
      this.draw(`${frames[frame++ % frames.length]} Sent, being imported${after}: ${this.file}`);
    };
    clearInterval(this.timer);
    this.timer = setInterval(next, redrawMs).unref();
    next();
  }

  clear(): void {
    clearInterval(this.timer);
    if (this.shownAt > 0) this.output.rewriteLine('');
  }
}

/** The refusal of a report that names no asset, in terms of the options. */
function unplaced(file: string): Failure {
  const what = `${file} does not say what it is of, and neither does a pipeline or a Git checkout here`;
  return new Failure(`${what}: name the repository, site or host by --asset`);
}

/** The refusal of an empty report: mostly the tool before the pipe is missing. */
function silent(file: string): Failure {
  const what = `${file === '-' ? 'Standard input' : file} is empty: the tool did not run, and nothing was imported`;
  const advice = 'If it is a clean scan of Nuclei, which then writes nothing, say so by --allow-empty';
  return new Failure(`${what}. ${advice}`, exitCodes.notRun);
}

/**
 * Sends a report, and repeats that if the connection breaks or the service fails: with its Idempotency-Key it is imported
 * once. A report from a pipe cannot be sent again.
 */
export async function sendReport(
  { api, output, stdin, notify }: Sending,
  file: string,
  query: ImportQuery,
): Promise<ImportResult> {
  const progress = new UploadProgress(output, file);
  const report = await openReport(file, stdin, (sent) => progress.show(sent, report.bytes), notify);
  const { open, size, isRepeatable } = report.upload;
  const idempotencyKey = randomUUID();
  for (let tries = 0; ; tries++) {
    try {
      return (await api.scans.import({ query, ...streamedBody(open(), { size, idempotencyKey }) })).data;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (error.message.startsWith('query.asset: The report does not name the asset')) throw unplaced(file);
      if (error.message.startsWith('body: The report is empty')) throw silent(file);
      const waitMs = Math.max(waitsMs[tries] ?? Infinity, (error.refusal?.retryAfterSeconds ?? 0) * 1_000);
      const wasSent = progress.sent > 0 && error.isPassing;
      if (!wasSent || !isRepeatable || waitMs > longestWaitMs) throw error;
      progress.clear();
      notify(`${error.message}\n       Sending ${file} again: it is imported once`);
      await sleep(waitMs);
    } finally {
      progress.clear();
    }
  }
}
