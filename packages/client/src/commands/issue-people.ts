import { type Command, InvalidArgumentError, Option } from 'commander';
import type { BulkOptions } from './bulk-issues.js';
import type { Open } from './context.js';
import { type OutputFormat, outputOption, readId, readMoment, wordOption } from './options.js';
import { addCommand } from './usual-commands.js';
import { issueStatuses, newSeverities } from '../values.js';

const readIds = (text: string, earlier?: string[]) => [...(earlier ?? []), readId(text)];
const none = 'none';
const readDue = (text: string) => (text === none ? none : readMoment(text));

function readLink(text: string): string {
  if (text === none || /^https?:\/\/\S+$/i.test(text)) return text;
  throw new InvalidArgumentError('Give an address such as https://tracker.example/SEC-12, or none.');
}

/** `issues assign`, `issues due` and `issues accept`. */
export function addPeopleAndTime(issues: Command, open: Open): void {
  addCommand(issues, {
    name: 'assign',
    summary: 'assign issues to a member, or to nobody',
    description: 'Assign issues to a member of the organization, or to nobody.',
    examples: ['store issues assign --to none latest'],
  })
    .argument('<ids...>', 'the ids of the issues', readIds)
    .requiredOption('--to <who>', 'a username, the id of a user, or none')
    .addOption(outputOption())
    .action(async (ids: string[], { to, output }: { to: string; output: OutputFormat }) => {
      const { assignIssues } = await import('./bulk-issues.js');
      await assignIssues(await open(), ids, to, output);
    });
  addCommand(issues, {
    name: 'due',
    summary: 'say until when issues are to be fixed',
    description: 'Say until when issues are to be fixed, or that there is no such day.',
    examples: ['store issues due --by 30d latest', 'store issues due --by none latest'],
  })
    .argument('<ids...>', 'the ids of the issues', readIds)
    .requiredOption('--by <time>', 'such as 2030-01-31, 30d, or none', readDue)
    .addOption(outputOption())
    .action(async (ids: string[], { by, output }: { by: string; output: OutputFormat }) => {
      const { changeIssues } = await import('./bulk-issues.js');
      await changeIssues(await open(), ids, { dueAt: by === none ? null : by }, output);
    });
  addCommand(issues, {
    name: 'accept',
    summary: 'accept issues, with a reason and until a day',
    description: 'Accept issues: they are IGNORED until a day, or for good, and OPEN again after it.',
    examples: ['store issues accept --reason "The host goes in spring" --until 90d latest'],
  })
    .argument('<ids...>', 'the ids of the issues', readIds)
    .requiredOption('--reason <text>', 'why')
    .option('--until <time>', 'such as 2030-01-31 or 90d; for good if left out', readMoment)
    .addOption(outputOption())
    .action(
      async (ids: string[], { reason, until, output }: { reason: string; until?: string; output: OutputFormat }) => {
        const { changeIssues } = await import('./bulk-issues.js');
        const changes = { status: 'IGNORED' as const, acceptedReason: reason, acceptedUntil: until ?? null };
        await changeIssues(await open(), ids, changes, output);
      },
    );
}

/** `issues bulk`. */
export function addBulk(issues: Command, open: Open, filters: () => Option[]): void {
  const command = addCommand(issues, {
    name: 'bulk',
    summary: 'change all issues that match filters',
    description:
      'Change all issues that match filters, however many. First it shows how many that are and some of them, and asks; ' +
      '--yes changes without asking, --dry-run only shows.',
    examples: [
      'store issues bulk --severities INFO --set-status RESOLVED --dry-run',
      'store issues bulk --rule absent-rule --set-status FALSE_POSITIVE --comment "Not ours" --yes',
    ],
  });
  for (const option of filters()) command.addOption(option);
  command
    .addOption(wordOption('--set-status <status>', `one of ${issueStatuses.join(', ')}`, issueStatuses))
    .addOption(wordOption('--set-severity <severity>', 'a severity, or TOOL for that of the scanner', newSeverities))
    .option('--set-assignee <who>', 'a username, the id of a user, or none')
    .option('--set-due <time>', 'until when they are to be fixed: 30d, 2030-01-31, or none', readDue)
    .option('--set-link <url>', 'the address of a ticket, or none', readLink)
    .option('--accept-until <time>', 'with --set-status IGNORED: until when', readMoment)
    .option('--reason <text>', 'with --set-status IGNORED: why they are accepted')
    .option('--comment <text>', 'why')
    .addOption(new Option('--dry-run', 'change nothing, and show what would change').conflicts('yes'))
    .option('-y, --yes', 'change without asking')
    .addOption(outputOption())
    .action(async (options: BulkOptions) => {
      const { bulkChange } = await import('./bulk-issues.js');
      await bulkChange(await open(), options);
    });
}
