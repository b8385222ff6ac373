import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { digestOf, firstDifference } from './canonical.js';
import { realNow, SimulatedClock } from './clock.js';
import { Databases } from './database.js';
import type { HistoryEntry } from './history.js';
import { type Ground, run, type RunResult } from './run.js';
import { StatementDoor } from './statement-door.js';
import { SimulatedTimers } from './timers.js';
import { ruleChance } from './whereabouts.js';

const shownEntries = 25;
const shownViolations = 10;
const shownCharacters = 600;

const usage = `Usage: npm run simulate -- [options]

  --seed N          begin with this seed; without it, a new one is chosen
  --seeds N         live so many seeds, until one fails
  --keep-going      live all of them, whichever fail
  --minutes N       live seeds for so many minutes
  --days N          days that a seed lives, or a part of one (1)
  --pause N         minutes between two steps (4)
  --calm            without faults
  --month           with a quiet month at the end
  --history FILE    write down what happened, an entry a line
  --replay N        live each of so many seeds twice, and compare the histories
  --mutant NAMES    with faults in the service, with commas between them
  --help            print this

simulation/README.md says what it does, and how to read what it prints.`;

const values = chosen();
if (values.help) {
  console.log(usage);
  process.exit(0);
}

// So that whoever is told to end leaves no PostgreSQL behind: it goes with the exit.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => process.exit(128 + constants.signals[signal]));

const first = numberOf('seed') ?? randomInt(1_000_000_000);
const days = numberOf('days');
const pause = numberOf('pause');
if (pause === 0) refuse('--pause takes a number above 0: without a pause, no day would end');
const isFine = await (values.replay === undefined ? simulate() : replay(numberOf('replay') ?? 1));
process.exit(isFine ? 0 : 1);

/**
 * One seed after the other, until one fails, or all of them. Each of several is lived by a process of its own, so that a seed that
 * fails fails again alone: what a process has lived before leaves its traces, such as ids that only ascend.
 */
async function simulate(): Promise<boolean> {
  const minutes = numberOf('minutes');
  const most = numberOf('seeds') ?? (minutes === undefined ? 1 : Infinity);
  if (most === 1) return liveHere(first);
  if (values.history !== undefined) refuse('--history takes one seed: leave out --seeds and --minutes');
  const end = realNow() + (minutes ?? Infinity) * 60_000;
  let areFine = true;
  for (let seed = first; seed < first + most && (seed === first || realNow() < end); seed++) {
    const isSeedFine = await livedFine(seed);
    areFine &&= isSeedFine;
    if (!isSeedFine && !values['keep-going']) break;
  }
  return areFine;
}

async function liveHere(seed: number): Promise<boolean> {
  const clock = new SimulatedClock();
  const timers = new SimulatedTimers(clock);
  const ground = { databases: await Databases.start(), clock, timers, door: new StatementDoor() };
  clock.install();
  timers.install();
  ruleChance();
  // The job library prints the stack of each connection that is lost, beside what it logs.
  console.trace = () => undefined;
  const result = await lived(ground, seed);
  if (result.violations.length > 0) tell(seed, result);
  await ground.databases.stop();
  return result.violations.length === 0;
}

/** Whether a seed that another process lives and tells of is fine. */
async function livedFine(seed: number): Promise<boolean> {
  const child = spawn(process.execPath, argumentsFor(seed), { stdio: ['ignore', 'inherit', 'inherit'] });
  const [code] = (await once(child, 'close')) as [number | null];
  return code === 0;
}

/** The arguments of Node.js for a process that lives this seed alone, and ends with this one. */
function argumentsFor(seed: number, ...more: string[]): string[] {
  const endWithParent = ['--import', fileURLToPath(new URL('../scripts/end-with-parent.mjs', import.meta.url))];
  return [...endWithParent, ...process.execArgv, ...process.argv.slice(1, 2), ...choicesFor(seed), ...more];
}

/** The options by which a seed is lived as it was here. */
function choicesFor(seed: number): string[] {
  const flags = [values.calm && '--calm', values.month && '--month'].filter((flag) => flag !== false);
  const named = values.mutant === undefined ? [] : ['--mutant', values.mutant];
  return ['--seed', String(seed), '--days', values.days, '--pause', values.pause, ...flags, ...named];
}

/** Each of so many seeds twice, the same history. Each life is of a process of its own: nothing is left of another one. */
async function replay(count: number): Promise<boolean> {
  let differing = 0;
  for (let seed = first; seed < first + count; seed++) {
    const difference = firstDifference(await livedElsewhere(seed), await livedElsewhere(seed));
    if (!difference) continue;
    differing += 1;
    console.log(`Seed ${seed} did not replay: entry ${difference.n} differs`);
    const [mine, theirs] = difference.lines;
    const at = Array.from(mine).findIndex((character, place) => character !== theirs[place]);
    console.log(`  ${mine.slice(0, shownCharacters / 3)}`);
    for (const line of difference.lines) console.log(`  … ${line.slice(Math.max(0, at - 100), at + shownCharacters)}`);
  }
  console.log(`${count - differing} of ${count} seeds had the same history twice`);
  return differing === 0;
}

/** The history of a seed that another process lives. */
async function livedElsewhere(seed: number): Promise<HistoryEntry[]> {
  const folder = await mkdtemp(join(tmpdir(), 'simulation-history-'));
  const file = join(folder, 'history.jsonl');
  const child = spawn(process.execPath, argumentsFor(seed, '--history', file), { stdio: ['ignore', 'pipe', 'ignore'] });
  let said = '';
  child.stdout.on('data', (piece: Buffer) => (said += piece.toString()));
  await once(child, 'close');
  console.log(said.split('\n')[0]);
  const lines = (
    await readFile(file, 'utf8').catch(() => {
      throw new Error(`Seed ${seed} ended without a history`);
    })
  )
    .trim()
    .split('\n');
  await rm(folder, { recursive: true });
  return lines.map((line) => JSON.parse(line) as HistoryEntry);
}

async function lived(ground: Ground, seed: number): Promise<RunResult> {
  const begun = realNow();
  const result = await run(ground, {
    seed: String(seed),
    days: days ?? 1,
    pause: pause ?? 4,
    withoutFaults: values.calm,
    withMonth: values.month,
  });
  const { history, steps, violations } = result;
  const seconds = ((realNow() - begun) / 1_000).toFixed(1);
  const faults = history.filter(({ kind }) => kind === 'fault').length;
  const verdict = violations.length === 0 ? 'fine' : `${violations.length} violations`;
  console.log(
    `seed ${seed}: ${verdict}; ${steps} steps, ${history.length} entries, ${faults} faults, history ${digestOf(history)}, ${seconds} s`,
  );
  if (values.history !== undefined)
    writeFileSync(values.history, `${history.map((entry) => JSON.stringify(entry)).join('\n')}\n`);
  return result;
}

/** Prints what a failure is about, and how to see it again. */
function tell(seed: number, { history, violations, errors }: RunResult): void {
  console.log(`\nSeed ${seed} fails. To see it again: npm run simulate -- ${choicesFor(seed).join(' ')}`);
  const times = new Map<string, number>();
  for (const { rule } of violations) times.set(rule, (times.get(rule) ?? 0) + 1);
  console.log(`It breaks ${[...times].map(([rule, count]) => `${rule} (${count})`).join(', ')}`);
  for (const { rule, message, entry } of violations.slice(0, shownViolations)) {
    console.log(`\n${rule}${entry === undefined ? '' : ` (entry ${entry})`}: ${message}`);
  }
  const at = violations[0]?.entry ?? history.length - 1;
  console.log(`\nThe history up to entry ${at}:`);
  for (const entry of history.slice(Math.max(0, at - shownEntries), at + 1)) console.log(lineOf(entry));
  for (const line of errors.slice(-shownViolations)) console.log(`log: ${line.trim().slice(0, shownCharacters)}`);
}

function lineOf(entry: HistoryEntry): string {
  return JSON.stringify(entry).slice(0, shownCharacters);
}

/** The options of the command line. */
function chosen() {
  try {
    return parseArgs({
      options: {
        seed: { type: 'string' },
        seeds: { type: 'string' },
        days: { type: 'string', default: '1' },
        pause: { type: 'string', default: '4' },
        minutes: { type: 'string' },
        replay: { type: 'string' },
        calm: { type: 'boolean', default: false },
        month: { type: 'boolean', default: false },
        'keep-going': { type: 'boolean', default: false },
        history: { type: 'string' },
        mutant: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    return refuse(`${(error as Error).message}\n\n${usage}`);
  }
}

function numberOf(name: 'seed' | 'seeds' | 'days' | 'pause' | 'minutes' | 'replay'): number | undefined {
  const text = values[name];
  if (text === undefined) return undefined;
  const number = Number(text);
  if (text.trim() !== '' && number >= 0) return number;
  return refuse(`--${name} takes a number, and not "${text}"`);
}

function refuse(why: string): never {
  console.error(why);
  process.exit(2);
}
