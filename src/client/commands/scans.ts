import { type Command, Option } from 'commander';
import type { Open } from './context.js';
import type { ImportOptions } from './import-report.js';
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
  wordOption,
  wordsOption,
} from './options.js';
import { reportFormats, scanKinds, scanStatuses } from './values.js';

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

const importExamples = `
Examples:
  store scans import results.sarif --asset https://code.example.com/acme/shop
  store scans import zap.json --profile-id latest --kind FRONTEND_DAST
  nuclei -u https://shop.example.com -jsonl | store scans import - --format nuclei-jsonl`;

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
      await listScans(open(), options);
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
      await showScan(open(), id, output);
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
      await watchScan(open(), id, output);
    });
}

function addImport(scans: Command, open: Open): void {
  scans
    .command('import')
    .summary("import another scanner's report as a scan")
    .description(
      'Import a report of another scanner (SARIF 2.1.0, OWASP ZAP JSON or XML, Nuclei JSONL; gzipped or not) as a ' +
        'scan at its end, with its assets, issues and events. What could not be read, or was cut, is named.',
    )
    .argument('<file>', 'the report, or - for standard input')
    .addOption(new Option('--format <format>', 'found from the content if left out').choices(reportFormats))
    .option('--asset <name|uri>', 'what all findings are of, such as a repository; what the report says if left out')
    .option('--profile-id <id>', 'the profile of the scan; one named after the scanner if left out', readId)
    .addOption(wordOption('--kind <kind>', 'the kind of the scan; that of the scanner if left out', scanKinds))
    .addOption(outputOption())
    .addHelpText('after', importExamples)
    .action(async (file: string, options: ImportOptions) => {
      const { importReport } = await import('./import-report.js');
      await importReport(open(), file, options);
    });
}

export function addScans(scans: Command, open: Open): void {
  addList(scans, open);
  addGet(scans, open);
  addWatch(scans, open);
  addImport(scans, open);
}
