import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Open } from './context.js';
import type { GroupOptions, MetricsOptions } from './issue-figures.js';
import type { PolicyOptions, Setting } from './issue-policy.js';
import { listOutputOption, outputOption, wordOption } from './options.js';
import { addCommand } from './usual-commands.js';
import { issueGroupings, severities } from '../values.js';

const mostGroups = 100;
const mostWeeks = 53;
const mostDays = 3_650;

function readUpTo(most: number): (text: string) => number {
  return (text) => {
    const number = /^\d{1,4}$/.test(text) ? Number(text) : 0;
    if (number >= 1 && number <= most) return number;
    throw new InvalidArgumentError(`Give a whole number from 1 to ${most}.`);
  };
}

/** The two sides of NAME=VALUE; none is no value. */
function sidesOf(text: string): [name: string, value: string | null] {
  const at = text.lastIndexOf('=');
  const [name, value] = [text.slice(0, Math.max(0, at)).trim(), text.slice(at + 1).trim()];
  if (name === '' || value === '') throw new InvalidArgumentError('Give NAME=VALUE, such as CRITICAL=7.');
  return [name, value === 'none' ? null : value];
}

function readDays(text: string, earlier: Setting<string>[] = []): Setting<string>[] {
  const settings = text.split(',').map((part): Setting<string> => {
    const [name, value] = sidesOf(part);
    const severity = severities.find((one) => one === name.toUpperCase());
    if (!severity) throw new InvalidArgumentError(`"${name}" is no severity: use ${severities.join(', ')}.`);
    if (value !== null && !(/^\d{1,4}$/.test(value) && Number(value) <= mostDays)) {
      throw new InvalidArgumentError(`Give whole days up to ${mostDays}, or none.`);
    }
    return [severity, value];
  });
  return [...earlier, ...settings];
}

function readAssignees(text: string, earlier: Setting<string>[] = []): Setting<string>[] {
  return [...earlier, sidesOf(text)];
}

function addGroups(issues: Command, open: Open, filters: readonly Option[]): void {
  const command = addCommand(issues, {
    name: 'groups',
    summary: 'count issues by rule, asset or severity',
    description: 'Count the issues that match the filters by rule, asset or severity, the largest group first.',
    examples: [
      'store issues groups --by rule --statuses OPEN',
      "store issues groups --by asset --severities CRITICAL -o jsonl | jq -r '[.count, .name] | @tsv'",
    ],
  });
  for (const option of filters) command.addOption(option);
  command
    .addOption(wordOption('--by <what>', `one of ${issueGroupings.join(', ')}`, issueGroupings).default('rule'))
    .addOption(
      new Option('--limit <number>', `show at most so many, up to ${mostGroups}`)
        .default(mostGroups)
        .argParser(readUpTo(mostGroups)),
    )
    .addOption(listOutputOption())
    .action(async (options: GroupOptions) => {
      const { listGroups } = await import('./issue-figures.js');
      await listGroups(await open(), options);
    });
}

function addMetrics(issues: Command, open: Open, filters: readonly Option[]): void {
  const command = addCommand(issues, {
    name: 'metrics',
    summary: 'show how long fixes take, what is overdue, and what comes and goes',
    description:
      'Show the time to fix by severity, what is open and overdue by age, and what was opened and closed by week, of the ' +
      'issues that match the filters.',
    examples: ['store issues metrics', 'store issues metrics --weeks 4 -o json | jq .timeToFix'],
  });
  for (const option of filters) command.addOption(option);
  command
    .addOption(
      new Option('--weeks <number>', `how many weeks, up to ${mostWeeks}; 13 if left out`).argParser(
        readUpTo(mostWeeks),
      ),
    )
    .addOption(outputOption())
    .action(async (options: MetricsOptions) => {
      const { showMetrics } = await import('./issue-figures.js');
      await showMetrics(await open(), options);
    });
}

function addPolicy(issues: Command, open: Open): void {
  addCommand(issues, {
    name: 'policy',
    summary: 'show how the organization handles its issues, or change it',
    description:
      'Show in how many days new issues are to be fixed, who is assigned them by tag, and whether IGNORED needs a reason. ' +
      'With an option, the policy is changed first; what is not named stays. Changes need an admin.',
    examples: [
      'store issues policy',
      'store issues policy --days CRITICAL=7,HIGH=30,LOW=none',
      'store issues policy --reason-required on',
    ],
  })
    .addOption(
      new Option('--days <severity=days>', 'until new issues of the severity are due, or none: CRITICAL=7').argParser(
        readDays,
      ),
    )
    .addOption(
      new Option(
        '--assignee <tag=who>',
        'who is assigned new issues of assets with the tag: a username, an id, or none',
      ).argParser(readAssignees),
    )
    .addOption(new Option('--reason-required <on|off>', 'whether IGNORED needs a reason').choices(['on', 'off']))
    .addOption(outputOption())
    .action(async (options: PolicyOptions) => {
      const { showPolicy } = await import('./issue-policy.js');
      await showPolicy(await open(), options);
    });
}

/** `issues groups`, `issues metrics` and `issues policy`. */
export function addFigures(issues: Command, open: Open, filters: () => Option[]): void {
  addGroups(issues, open, filters());
  addMetrics(issues, open, filters());
  addPolicy(issues, open);
}
