import { type Command, Option } from 'commander';
import type { Open } from './context.js';
import { addImport } from './import-command.js';
import { idsOption, sinceOption, untilOption, wordsOption } from './options.js';
import { addForOne, addList } from './usual-commands.js';
import { scanKinds, scanStatuses } from '../values.js';

function addScanList(scans: Command, open: Open): void {
  const usage = {
    page: 'scanning/scans',
    summary: 'list scans, newest first',
    description: 'List scans, newest first. Filters narrow each other.',
    examples: ['store scans list --statuses STARTING,RUNNING', 'store scans list -p latest --since 4w -o csv'],
  };
  const filters = [
    wordsOption('--statuses <statuses>', `scans in these: ${scanStatuses.join(', ')}`, scanStatuses),
    wordsOption('--kinds <kinds>', 'scans of these kinds, such as FRONTEND_DAST', scanKinds),
    idsOption('-p, --profile-id <id>', 'scans of this profile'),
    idsOption('-a, --asset-id <id>', 'scans of this asset'),
    new Option('--branch <name>', 'scans of this branch'),
    new Option('--commit <id>', 'scans of this commit'),
    new Option('--pull-request <number>', 'scans of this pull request'),
    new Option('--tool <name>', 'scans by this tool'),
    sinceOption('scans'),
    untilOption('scans'),
  ];
  addList(scans, open, usage, filters, async () => (await import('./list-scans.js')).listScans);
}

function addGet(scans: Command, open: Open): void {
  const usage = {
    name: 'get',
    alias: 'g',
    one: 'scan',
    page: { kind: 'SCAN', path: 'scanning/scans/{id}' } as const,
    summary: 'show one scan and how far it is',
    description: 'Show one scan: its status, how far it is, and its profile.',
    examples: ['store scans get latest', 'store scans get 01981c5e-7a60 -o json | jq .progressRatio'],
  };
  addForOne(scans, open, usage, async () => (await import('./show-scan.js')).showScan);
}

function addWatch(scans: Command, open: Open): void {
  const usage = {
    name: 'watch',
    one: 'scan',
    summary: 'show the progress of a scan until it ends',
    description:
      'Show the progress of a scan until it ends. Survives a network or service that is away for a moment. With ' +
      '-o json, every change is the scan as one line of JSON.',
    note: 'Exit codes: 0 when the scan is FINISHED, 5 when it is FAILED or CANCELED.',
    examples: ['store scans watch latest', 'store scans watch latest && store issues list --scan-id latest'],
  };
  addForOne(scans, open, usage, async () => (await import('./watch-scan.js')).watchScan);
}

function addFound(scans: Command, open: Open): void {
  const usage = {
    name: 'found',
    one: 'scan',
    summary: 'show what a scan found: new, seen again and gone',
    description: 'Show the issues of a scan, compared with the scan before it: new, seen again and gone, by severity.',
    examples: ['store scans found latest', 'store scans found latest -o json | jq .gone'],
  };
  addForOne(scans, open, usage, async () => (await import('./show-scan.js')).showFound);
}

function addCancel(scans: Command, open: Open): void {
  const usage = {
    name: 'cancel',
    one: 'scan',
    summary: 'cancel a scan that has not ended',
    description: 'Cancel a scan that has not ended. What it found so far stays.',
    examples: ['store scans list --statuses STARTING,RUNNING -o jsonl | jq -r .id | xargs -n 1 store scans cancel'],
  };
  addForOne(scans, open, usage, async () => (await import('./show-scan.js')).cancelScan);
}

export function addScans(scans: Command, open: Open): void {
  addScanList(scans, open);
  addGet(scans, open);
  addFound(scans, open);
  addWatch(scans, open);
  addCancel(scans, open);
  addImport(scans, open);
}
