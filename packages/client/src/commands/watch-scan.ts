import type { ResourceScan } from '@store-service/sdk';
import { setTimeout as sleep } from 'node:timers/promises';
import { resolveId } from '../api/ids.js';
import { patiently } from '../api/patience.js';
import { exitCodes, Failure } from '../failure.js';
import { printJsonLine } from '../output/json.js';
import type { Output } from '../output/output.js';
import type { Context } from './context.js';
import type { OutputFormat } from './options.js';
import { hasEnded, percentOf, scanColor } from './scan-status.js';

const pollMs = 1_000;
const longestBar = 30;
const shortestBar = 5;

function progressLine(scan: ResourceScan, output: Output): string {
  const status = output.paint(scan.status.padEnd(8), scanColor(scan));
  if (!output.isTerminal) return `${scan.updatedAt}  ${status}  ${percentOf(scan)}`;
  // A line that the terminal wraps cannot be replaced.
  const bar = Math.min(longestBar, output.width - 'FINISHED  []  100 % '.length);
  if (bar < shortestBar) return `${status}  ${percentOf(scan)}`;
  const done = Math.floor(scan.progressRatio * bar);
  return `${status}  [${'#'.repeat(done)}${'.'.repeat(bar - done)}]  ${percentOf(scan)}`;
}

async function printProgress(output: Output, scan: ResourceScan, format: OutputFormat): Promise<void> {
  if (format === 'json') await printJsonLine(output, scan);
  else if (output.isTerminal) output.rewriteLine(progressLine(scan, output));
  else await output.write(`${progressLine(scan, output)}\n`);
}

/** `scans watch`: prints every change of a scan until it ends; throws a `Failure` with its own exit code if it ends badly. */
export async function watchScan(context: Context, given: string, format: OutputFormat): Promise<void> {
  const { api, output, notify, surroundings } = context;
  const id = await resolveId(api, 'SCAN', given);
  const interrupt = (message: string) => {
    output.endLine();
    notify(message);
  };
  surroundings.onInterrupt(() => output.endLine());
  await surroundings.watchReader();
  const read = async () => (await api.scans.get({ path: { id } })).data;
  let scan = await read();
  await printProgress(output, scan, format);
  while (!hasEnded(scan)) {
    await sleep(pollMs);
    const now = await patiently(read, interrupt);
    const hasChanged = now.status !== scan.status || now.progressRatio !== scan.progressRatio;
    scan = now;
    if (hasChanged) await printProgress(output, scan, format);
  }
  output.endLine();
  if (scan.status !== 'FINISHED') throw new Failure(`The scan is ${scan.status}`, exitCodes.scanFailed);
}
