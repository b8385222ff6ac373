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
  store issues update latest --severity TOOL`;

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
    .summary('change the status or severity of an issue')
    .description(
      'Change the status or severity of an issue, with a comment or without. What people set, later scans keep.',
    )
    .argument('<id>', 'the id of the issue', readId)
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
    .action(async (id: string, changes: IssueChanges) => {
      const { updateIssue } = await import('./issue-actions.js');
      await updateIssue(await open(), id, changes);
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
      const { updateIssue } = await import('./issue-actions.js');
      await updateIssue(await open(), id, { comment, output });
    });
}

export function addIssues(issues: Command, open: Open): void {
  addList(issues, open);
  addGet(issues, open);
  addUpdate(issues, open);
  addComment(issues, open);
}
