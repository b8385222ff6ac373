import type { Command } from 'commander';
import { makeContext } from './context.js';
import type { ListIssuesOptions } from './list-issues.js';
import { idsOption, limitOption, outputOption, wordsOption } from './options.js';
import { categories, issueStatuses, severities } from './values.js';

const listExamples = `
Examples:
  store issues list --severities CRITICAL,HIGH --statuses OPEN
  store issues list --scan-id 01981c5e-7a60-7c3e-9f0b-52c1d5a1e0c4 -o json | jq length`;

export function addIssues(store: Command): void {
  const issues = store.command('issues').alias('issue').description('Read what scans found.');
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
    .addOption(limitOption())
    .addOption(outputOption())
    .addHelpText('after', listExamples)
    .action(async (options: ListIssuesOptions) => {
      const { listIssues } = await import('./list-issues.js');
      await listIssues(makeContext(), options);
    });
}
