import { type Command, Option } from 'commander';
import type { Open } from './context.js';
import type { ExportOptions } from './export-issues.js';
import type { IssueChanges } from './issue-actions.js';
import { addBulk, addPeopleAndTime } from './issue-people.js';
import {
  idsOption,
  type OutputFormat,
  outputOption,
  readId,
  sinceOption,
  untilOption,
  wordOption,
  wordsOption,
} from './options.js';
import type { ListOptions } from './print-list.js';
import { addFigures } from './issue-figure-commands.js';
import { furtherFilters, sortOption, viewOption } from './issue-filters.js';
import { addCommand, addForOne, addList, addListCommand } from './usual-commands.js';
import { categories, exportFormats, issueStatuses, newSeverities, severities } from '../values.js';

interface Format {
  output: OutputFormat;
}

function addIssueList(issues: Command, open: Open): void {
  const usage = {
    page: 'scanning/issues',
    summary: 'list issues, newest first',
    description:
      'List issues, newest first. Filters narrow each other; where a filter takes several values, divided by commas ' +
      'or given again, an issue needs one of them.',
    examples: [
      'store issues list --severities CRITICAL,HIGH --statuses OPEN',
      'store issues list --scan-id latest -o json | jq length',
      'store issues list --since 7d --all -o csv',
      'store issues list --assignee none --sort severity --short',
      'store issues list --kev --sort epss',
    ],
  };
  const filters = [...issueFilters(), sortOption(), viewOption()];
  addList(issues, open, usage, filters, async () => (await import('./list-issues.js')).listIssues);
}

/** The filters of issues, for all commands that take them. */
function issueFilters(): Option[] {
  return [
    new Option('-s, --search <text>', 'issues with this text in name or context'),
    wordsOption('--severities <severities>', `issues of these: ${severities.join(', ')}`, severities),
    wordsOption('--categories <categories>', `issues of these: ${categories.join(', ')}`, categories),
    wordsOption('--statuses <statuses>', `issues in these: ${issueStatuses.join(', ')}`, issueStatuses),
    idsOption('-p, --profile-id <id>', "issues that this profile's scans found"),
    idsOption('--scan-id <id>', 'issues that this scan found'),
    idsOption('-a, --asset-id <id>', 'issues of this asset'),
    new Option('--branch <name>', 'issues that this branch has, or "*" for all; the default branch if left out'),
    sinceOption('issues first found'),
    untilOption('issues first found'),
    ...furtherFilters(),
  ];
}

function addGet(issues: Command, open: Open): void {
  const usage = {
    name: 'get',
    alias: 'g',
    one: 'issue',
    page: { kind: 'ISSUE', path: 'scanning/issues?issue={id}' } as const,
    summary: 'show one issue in full',
    description: 'Show one issue, where it was found, and what happened to it.',
    examples: [
      'store issues get latest',
      'store issues get latest --web',
      'store issues get 01981c5e-7a60 -o json | jq .targets',
    ],
  };
  addForOne(issues, open, usage, async () => (await import('./issue-actions.js')).showIssue);
}

function addUpdate(issues: Command, open: Open): void {
  addCommand(issues, {
    name: 'update',
    summary: 'change the status or severity of issues',
    description:
      'Change the status or severity of issues, with a comment or without. What people set, later scans keep. Several ' +
      'issues are listed with what became of each.',
    examples: [
      'store issues update latest --status MANUAL_REVIEW',
      'store issues update latest --status FALSE_POSITIVE --comment "The host is a honeypot."',
      'store issues update latest --severity TOOL',
      'store issues list --severities LOW -o jsonl | jq -r .id | xargs -r store issues update --status IGNORED',
    ],
  })
    .argument('<ids...>', 'the ids of the issues', (text: string, earlier?: string[]) => [
      ...(earlier ?? []),
      readId(text),
    ])
    .addOption(wordOption('--status <status>', `one of ${issueStatuses.join(', ')}`, issueStatuses))
    .addOption(
      wordOption(
        '--severity <severity>',
        `one of ${severities.join(', ')}; or TOOL, which gives it back to the scanner`,
        newSeverities,
      ),
    )
    .option('--comment <text>', 'why')
    .addOption(outputOption())
    .action(async (ids: string[], changes: IssueChanges) => {
      const { updateIssues } = await import('./issue-actions.js');
      await updateIssues(await open(), ids, changes);
    });
}

function addComment(issues: Command, open: Open): void {
  addCommand(issues, {
    name: 'comment',
    summary: 'comment on an issue',
    description: 'Comment on an issue. The comment stands in its activities.',
    examples: ['store issues comment latest "Seen on the staging host too."'],
  })
    .argument('<id>', 'the id of the issue', readId)
    .argument('<text>', 'the comment')
    .addOption(outputOption())
    .action(async (id: string, comment: string, { output }: Format) => {
      const { updateIssues } = await import('./issue-actions.js');
      await updateIssues(await open(), [id], { comment, output });
    });
}

function addTargets(issues: Command, open: Open): void {
  addListCommand(issues, {
    name: 'targets',
    summary: 'list where an issue was found',
    description: 'List where an issue was found: routes, files, pages and the like. "get" shows the first of them.',
    examples: ['store issues targets latest', 'store issues targets latest --all -o jsonl | jq -r .codeFile.path'],
  })
    .argument('<id>', 'the id of the issue', readId)
    .action(async (id: string, options: ListOptions) => {
      const { listTargets } = await import('./issue-figures.js');
      await listTargets(await open(), id, options);
    });
}

function addSummary(issues: Command, open: Open): void {
  addCommand(issues, {
    name: 'summary',
    summary: 'count issues by severity, status and category',
    description: 'Count issues by severity, status and category. With -o json also by day, for the last 30 days.',
    examples: ['store issues summary', 'store issues summary -o json | jq .openBySeverity.CRITICAL'],
  })
    .addOption(outputOption())
    .action(async ({ output }: Format) => {
      const { showSummary } = await import('./issue-figures.js');
      await showSummary(await open(), output);
    });
}

function addExport(issues: Command, open: Open): void {
  const command = addCommand(issues, {
    name: 'export',
    summary: 'write all issues that match to a file',
    description:
      'Write all issues that match the filters, however many, to a file or to standard output: as CSV, JSON lines, SARIF, ' +
      'CycloneDX VEX, or as an HTML report that prints well.',
    examples: [
      'store issues export issues.csv',
      'store issues export --format sarif --severities CRITICAL,HIGH > issues.sarif',
      'store issues export --format html --statuses OPEN report.html',
    ],
  })
    .argument('[file]', 'the file, which is replaced once all is there; standard output if left out')
    .addOption(new Option('--format <format>', 'of the file').choices(exportFormats).default('csv'));
  for (const option of [...issueFilters(), viewOption()]) command.addOption(option);
  command.action(async (file: string | undefined, options: ExportOptions) => {
    const { exportIssues } = await import('./export-issues.js');
    await exportIssues(await open(), file, options);
  });
}

export function addIssues(issues: Command, open: Open): void {
  addIssueList(issues, open);
  addGet(issues, open);
  addUpdate(issues, open);
  addPeopleAndTime(issues, open);
  addBulk(issues, open, () => [...issueFilters(), viewOption()]);
  addExport(issues, open);
  addComment(issues, open);
  addTargets(issues, open);
  addSummary(issues, open);
  addFigures(issues, open, () => [...issueFilters(), viewOption()]);
}
