import { InvalidArgumentError, Option } from 'commander';
import { idsOption, textsOption, timeOption, WordsOption, wordOption } from './options.js';
import { issueSorts } from '../values.js';

/** The filters by rule, place, people and time. */
export interface FurtherFilters {
  rule?: string[];
  identifier?: string[];
  tagId?: string[];
  asset?: string;
  assignee?: string;
  overdue?: true;
  dueUntil?: string;
  kev?: true;
  minEpss?: number;
  tool?: string;
  firstSeenSince?: string;
  firstSeenUntil?: string;
  lastSeenSince?: string;
  lastSeenUntil?: string;
}

function readShare(text: string): number {
  const share = Number(text);
  if (/^[\d.]{1,20}$/.test(text) && share <= 1) return share;
  throw new InvalidArgumentError('Give a number from 0 to 1, such as 0.1.');
}

export function furtherFilters(): Option[] {
  return [
    textsOption('--rule <rules>', 'issues of these rules'),
    textsOption('--identifier <identifiers>', 'issues with these, such as CVE-2021-44228,CWE-79'),
    idsOption('--tag-id <id>', 'issues of assets with this tag'),
    new Option('--asset <text>', 'issues of assets with this text in the name'),
    new WordsOption('--assignee <who>', 'issues of this user: an id, me, or none', ['me', 'none']),
    new Option('--overdue', 'issues past their due date'),
    timeOption('--due-until <time>', 'issues due before'),
    new Option('--kev', 'issues with a CVE that is known to be exploited (KEV)'),
    new Option('--min-epss <share>', 'issues that are exploited with at least this probability: from 0 to 1').argParser(
      readShare,
    ),
    new Option('--tool <name>', 'issues that this tool found last'),
    timeOption('--first-seen-since <time>', 'issues first seen then or later'),
    timeOption('--first-seen-until <time>', 'issues first seen before'),
    timeOption('--last-seen-since <time>', 'issues last seen then or later'),
    timeOption('--last-seen-until <time>', 'issues last seen before'),
  ];
}

export function sortOption(): Option {
  return wordOption('--sort <order>', `one of ${issueSorts.join(', ')}; newest first if left out`, issueSorts);
}

export function viewOption(): Option {
  return new Option('--view <name>', 'the filters of a saved view; those given beside it win');
}

/** The filters as the service takes them. */
export function furtherFilterOf(options: FurtherFilters) {
  const { rule, identifier, asset, assignee, overdue, kev, minEpss, tool } = options;
  const { dueUntil, firstSeenSince, firstSeenUntil, lastSeenSince, lastSeenUntil } = options;
  const times = { dueUntil, firstSeenSince, firstSeenUntil, lastSeenSince, lastSeenUntil };
  return { rule, identifier, assetName: asset, assignee, overdue, kev, minEpss, tool, ...times };
}
