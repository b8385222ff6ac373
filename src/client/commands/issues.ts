import type { Command } from 'commander';
import type { Open } from './context.js';
import type { IssueChanges } from './issue-actions.js';
import type { ListIssuesOptions } from './list-issues.js';
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
import type { ListOptions } from './print-list.js';
import { categories, issueStatuses, newSeverities, severities } from './values.js';

interface Format {
  output: OutputFormat;
}

const listExamples = `
Examples:
  store issues list --severities CRITICAL,HIGH --statuses OPEN
  store issues list --scan-id latest -o json | jq length
  store issues list --since 7d --all -o csv`;

const getExamples = `
Examples:
  store issues get latest
  store issues get 01981c5e-7a60 -o json | jq .targets`;

const updateExamples = `
Examples:
  store issues update latest --status MANUAL_REVIEW
  store issues update latest --status FALSE_POSITIVE --comment "The host is a honeypot."
  store issues update latest --severity TOOL
  store issues list --severities LOW -o jsonl | jq -r .id | xargs -r store issues update --status IGNORED`;

const targetsExamples = `
Examples:
  store issues targets latest
  store issues targets latest --all -o jsonl | jq -r .codeFile.path`;

const summaryExamples = `
Examples:
  store issues summary
  store issues summary -o json | jq .openBySeverity.CRITICAL`;

const commentExamples = `
Examples:
  store issues comment latest "Seen on the staging host too."`;

function addList(issues: Command, open: Open): void {
  issues
    .command('list')
    .alias('ls')
    .summary('list issues, newest first')
    .description(
      'List issues, newest first. Filters narrow each other; where a filter takes several values, divided by commas ' +
        'or given again, an issue needs one of them.',
    )
    .option('-s, --search <text>', 'issues with this text in name or context')
    .addOption(wordsOption('--severities <severities>', `issues of these: ${severities.join(', ')}`, severities))
    .addOption(wordsOption('--categories <categories>', `issues of these: ${categories.join(', ')}`, categories))
    .addOption(wordsOption('--statuses <statuses>', `issues in these: ${issueStatuses.join(', ')}`, issueStatuses))
    .addOption(idsOption('-p, --profile-id <id>', "issues that this profile's scans found"))
    .addOption(idsOption('--scan-id <id>', 'issues that this scan found'))
    .addOption(idsOption('-a, --asset-id <id>', 'issues of this asset'))
    .addOption(sinceOption('issues first found'))
    .addOption(untilOption('issues first found'))
    .addOption(limitOption())
    .addOption(allOption())
    .addOption(listOutputOption())
    .addHelpText('after', listExamples)
    .action(async (options: ListIssuesOptions) => {
      const { listIssues } = await import('./list-issues.js');
      await listIssues(await open(), options);
    });
}

function addGet(issues: Command, open: Open): void {
  issues
    .command('get')
    .alias('g')
    .summary('show one issue in full')
    .description('Show one issue, where it was found, and what happened to it.')
    .argument('<id>', 'the id of the issue', readId)
    .addOption(outputOption())
    .addHelpText('after', getExamples)
    .action(async (id: string, { output }: Format) => {
      const { showIssue } = await import('./issue-actions.js');
      await showIssue(await open(), id, output);
    });
}

function addUpdate(issues: Command, open: Open): void {
  issues
    .command('update')
    .summary('change the status or severity of issues')
    .description(
      'Change the status or severity of issues, with a comment or without. What people set, later scans keep. Several ' +
        'issues are listed with what became of each.',
    )
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
    .addHelpText('after', updateExamples)
    .action(async (ids: string[], changes: IssueChanges) => {
      const { updateIssues } = await import('./issue-actions.js');
      await updateIssues(await open(), ids, changes);
    });
}

function addComment(issues: Command, open: Open): void {
  issues
    .command('comment')
    .summary('comment on an issue')
    .description('Comment on an issue. The comment stands in its activities.')
    .argument('<id>', 'the id of the issue', readId)
    .argument('<text>', 'the comment')
    .addOption(outputOption())
    .addHelpText('after', commentExamples)
    .action(async (id: string, comment: string, { output }: Format) => {
      const { updateIssues } = await import('./issue-actions.js');
      await updateIssues(await open(), [id], { comment, output });
    });
}

function addTargets(issues: Command, open: Open): void {
  issues
    .command('targets')
    .summary('list where an issue was found')
    .description('List where an issue was found: routes, files, pages and the like. "get" shows the first of them.')
    .argument('<id>', 'the id of the issue', readId)
    .addOption(limitOption())
    .addOption(allOption())
    .addOption(listOutputOption())
    .addHelpText('after', targetsExamples)
    .action(async (id: string, options: ListOptions) => {
      const { listTargets } = await import('./issue-figures.js');
      await listTargets(await open(), id, options);
    });
}

function addSummary(issues: Command, open: Open): void {
  issues
    .command('summary')
    .summary('count issues by severity, status and category')
    .description('Count issues by severity, status and category. With -o json also by day, for the last 30 days.')
    .addOption(outputOption())
    .addHelpText('after', summaryExamples)
    .action(async ({ output }: Format) => {
      const { showSummary } = await import('./issue-figures.js');
      await showSummary(await open(), output);
    });
}

export function addIssues(issues: Command, open: Open): void {
  addList(issues, open);
  addGet(issues, open);
  addUpdate(issues, open);
  addComment(issues, open);
  addTargets(issues, open);
  addSummary(issues, open);
}
