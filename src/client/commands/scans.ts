import type { Command } from 'commander';
import type { Open } from './context.js';
import { addImport } from './import-command.js';
import type { ListScansOptions } from './list-scans.js';
import {
  allOption,
  idsOption,
  limitOption,
  listOutputOption,
  type OutputFormat,
  outputOption,
  readId,
  sinceOption,
  untilOption,
  wordsOption,
} from './options.js';
import { scanKinds, scanStatuses } from './values.js';

const listExamples = `
Examples:
  store scans list --statuses STARTING,RUNNING
  store scans list -p latest --since 4w -o csv`;

const getExamples = `
Examples:
  store scans get latest
  store scans get 01981c5e-7a60 -o json | jq .progressRatio`;

const watchExamples = `
Exit codes: 0 when the scan is FINISHED, 5 when it is FAILED or CANCELED.

Examples:
  store scans watch latest
  store scans watch latest && store issues list --scan-id latest`;

const cancelExamples = `
Examples:
  store scans list --statuses STARTING,RUNNING -o jsonl | jq -r .id | xargs -n 1 store scans cancel`;

const foundExamples = `
Examples:
  store scans found latest
  store scans found latest -o json | jq .gone`;

interface Format {
  output: OutputFormat;
}

function addList(scans: Command, open: Open): void {
  scans
    .command('list')
    .alias('ls')
    .summary('list scans, newest first')
    .description('List scans, newest first. Filters narrow each other.')
    .addOption(wordsOption('--statuses <statuses>', `scans in these: ${scanStatuses.join(', ')}`, scanStatuses))
    .addOption(wordsOption('--kinds <kinds>', 'scans of these kinds, such as FRONTEND_DAST', scanKinds))
    .addOption(idsOption('-p, --profile-id <id>', 'scans of this profile'))
    .addOption(idsOption('-a, --asset-id <id>', 'scans of this asset'))
    .addOption(sinceOption('scans'))
    .addOption(untilOption('scans'))
    .addOption(limitOption())
    .addOption(allOption())
    .addOption(listOutputOption())
    .addHelpText('after', listExamples)
    .action(async (options: ListScansOptions) => {
      const { listScans } = await import('./list-scans.js');
      await listScans(await open(), options);
    });
}

function addGet(scans: Command, open: Open): void {
  scans
    .command('get')
    .alias('g')
    .summary('show one scan and how far it is')
    .description('Show one scan: its status, how far it is, and its profile.')
    .argument('<id>', 'the id of the scan', readId)
    .addOption(outputOption())
    .addHelpText('after', getExamples)
    .action(async (id: string, { output }: Format) => {
      const { showScan } = await import('./show-scan.js');
      await showScan(await open(), id, output);
    });
}

function addWatch(scans: Command, open: Open): void {
  scans
    .command('watch')
    .summary('show the progress of a scan until it ends')
    .description(
      'Show the progress of a scan until it ends. Survives a network or service that is away for a moment. With ' +
        '-o json, every change is the scan as one line of JSON.',
    )
    .argument('<id>', 'the id of the scan', readId)
    .addOption(outputOption())
    .addHelpText('after', watchExamples)
    .action(async (id: string, { output }: Format) => {
      const { watchScan } = await import('./watch-scan.js');
      await watchScan(await open(), id, output);
    });
}

function addFound(scans: Command, open: Open): void {
  scans
    .command('found')
    .summary('show what a scan found: new, seen again and gone')
    .description('Show the issues of a scan, compared with the scan before it: new, seen again and gone, by severity.')
    .argument('<id>', 'the id of the scan', readId)
    .addOption(outputOption())
    .addHelpText('after', foundExamples)
    .action(async (id: string, { output }: Format) => {
      const { showFound } = await import('./show-scan.js');
      await showFound(await open(), id, output);
    });
}

function addCancel(scans: Command, open: Open): void {
  scans
    .command('cancel')
    .summary('cancel a scan that has not ended')
    .description('Cancel a scan that has not ended. What it found so far stays.')
    .argument('<id>', 'the id of the scan', readId)
    .addOption(outputOption())
    .addHelpText('after', cancelExamples)
    .action(async (id: string, { output }: Format) => {
      const { cancelScan } = await import('./show-scan.js');
      await cancelScan(await open(), id, output);
    });
}

export function addScans(scans: Command, open: Open): void {
  addList(scans, open);
  addGet(scans, open);
  addFound(scans, open);
  addWatch(scans, open);
  addCancel(scans, open);
  addImport(scans, open);
}
