import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runClient } from '../support/client-run.js';
import { completionPlaces, FishCompletion } from '../support/completions.js';

const scripts: Record<string, string> = {};

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'store-completion-'));
  for (const shell of ['bash', 'zsh', 'fish']) {
    const script = (await runClient(['completion', shell])).stdout;
    scripts[shell] = script;
    await writeFile(join(folder, shell), script);
  }
});
afterAll(() => rm(folder, { recursive: true }));

function hasShell(shell: string): boolean {
  return spawnSync(shell, ['-c', 'exit 0']).status === 0;
}

/** The words of each line that bash prints with the script at hand, in one process. */
function printed(asks: string[]): string[][] {
  const script = `. ${join(folder, 'bash')}\n${asks.join('\n')}`;
  const { stdout, stderr } = spawnSync('bash', ['--norc'], { encoding: 'utf8', input: script });
  expect(stderr).toBe('');
  return stdout
    .slice(0, -1)
    .split('\n')
    .map((line) => line.split(' ').filter((word) => word !== ''));
}

const quoted = (words: string[]) => words.map((word) => `'${word}'`).join(' ');

/** The completions that bash offers at the end of each line. */
function offered(lines: string[]): string[][] {
  return printed(
    lines.map((line) => {
      const words = line.split(' ');
      return `COMP_WORDS=(${quoted(words)}); COMP_CWORD=${words.length - 1}; _store; echo "\${COMPREPLY[*]}"`;
    }),
  );
}

/** What may follow each of these words, without the process that bash needs to narrow it down to what is typed. */
function offeredAfter(places: string[][]): string[][] {
  return printed(
    places.map((words) => `_store_words ${quoted([words.at(-1) ?? 'store', ...words])}; echo "$offered"; offered=`),
  );
}

describe('store completion bash', () => {
  it('offers commands, options, and the values of options', () => {
    const lines = [
      'store ev',
      'store events ',
      'store event l',
      'store events list --lev',
      'store events list --levels W',
      'store issues update latest --status RES',
      'store scans list -o ',
      'store events list --limit 3 --has',
      'store completion ',
    ];
    const [first, second, third, ...rest] = offered(lines);
    expect([first, third]).toEqual([['events'], ['list']]);
    expect(second).toEqual(expect.arrayContaining(['list', 'get']));
    expect(rest).toEqual([
      ['--levels'],
      ['WARNING'],
      ['RESOLVED'],
      ['table', 'json', 'jsonl', 'csv'],
      ['--has-attachments'],
      expect.arrayContaining(['bash', 'zsh', 'fish']),
    ]);
  });
});

describe('The scripts for the shells', () => {
  it('of bash and fish offer the same everywhere', async () => {
    const places = await completionPlaces();
    expect(places.length).toBeGreaterThan(300);
    const fish = new FishCompletion(scripts['fish'] ?? '');
    const byBash = offeredAfter(places);
    const byFish = places.map((words) => fish.after(words));
    expect(byFish).toEqual(byBash);
    expect(byBash.filter((words) => words.length > 0).length).toBeGreaterThan(150);
  });

  it('of bash and zsh call the same function with the typed words', () => {
    const [bash = '', zsh = ''] = [scripts['bash'], scripts['zsh']];
    const shared = bash.slice(0, bash.indexOf('\n}\n') + 3);
    expect(shared).toMatch(/^_store_words\(\) \{\n/);
    expect(zsh.replace(shared, 'SHARED')).toBe(`#compdef store
SHARED_store() {
  local offered
  local -a typed
  typed=("\${(@)words[2,CURRENT-1]}")
  _store_words "\${words[CURRENT-1]}" "\${typed[@]}"
  [[ -n $offered ]] && compadd -- \${=offered} || _files
}
compdef _store store
`);
  });
});

describe.each(['bash', 'zsh', 'fish'])('store completion %s', (shell) => {
  it('knows every group', () => {
    for (const group of ['events', 'deliveries', 'keys', 'members', 'login', 'whoami']) {
      expect(scripts[shell]).toContain(group);
    }
  });
});

/** How each shell is made to print its completions at the end of a line; for zsh with its own functions replaced. */
const asks: Record<string, (line: string) => string> = {
  bash: (line) => {
    const words = line.split(' ').map((word) => `'${word}'`);
    return `COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _store; printf '%s\\n' "\${COMPREPLY[@]}"`;
  },
  fish: (line) => `complete -C '${line}' | string replace -r '\\t.*' ''`,
  zsh: (line) => {
    const words = line.split(' ').map((word) => `'${word}'`);
    return `compadd() { shift; print -rl -- "$@" }; words=(${words.join(' ')}); CURRENT=${words.length}; _store`;
  },
};

describe.each(['bash', 'zsh', 'fish'].filter(hasShell))('store completion %s, in that shell,', (shell) => {
  it('loads without errors', () => {
    const { status, stderr } = spawnSync(shell, ['-n', join(folder, shell)], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
  });

  it.each([
    ['store ev', 'events'],
    ['store events list --levels W', 'WARNING'],
    ['store completion ', 'fish'],
  ])('offers what may follow %j', (line, word) => {
    const script = `${shell === 'zsh' ? 'compdef() { :; }; ' : ''}. ${join(folder, shell)}; ${asks[shell]?.(line)}`;
    const { stdout } = spawnSync(shell, ['-c', script], { encoding: 'utf8' });
    expect(stdout.split('\n')).toContain(word);
  });
});

describe('store completion zsh', () => {
  it("leaves alone the variables that zsh's completion reads", () => {
    expect(scripts['zsh']).toContain('words[2,CURRENT-1]');
    expect(scripts['zsh']).not.toMatch(/\blocal words\b|\bwords=/);
    // There these are tied to PATH and the like: a local variable of that name would hide all commands.
    expect(scripts['zsh']).not.toMatch(
      /\blocal\b.*\b(path|fpath|cdpath|manpath|status|argv|options|commands|functions)\b/,
    );
  });
});

describe('store completion fish', () => {
  it('offers files only where a command or an option takes one', () => {
    const files = (scripts['fish'] ?? '').split('\n').filter((line) => line.endsWith(' -F'));
    expect(files).toEqual(
      expect.arrayContaining([
        "complete -c store -n '_store_at store scans import' -F",
        "complete -c store -n '_store_after store scans import --policy' -F",
        "complete -c store -n '_store_after store workflows create -f' -F",
      ]),
    );
    expect(files.filter((line) => line.includes('events'))).toEqual([]);
    expect(scripts['fish']).toContain('\ncomplete -c store -f\n');
  });
});
