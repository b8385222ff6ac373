import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runClient } from '../support/client-run.js';

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

describe('store completion bash', () => {
  /** What bash offers at the end of each line, in one process. */
  function offered(lines: string[]): string[][] {
    const asks = lines.map((line) => {
      const words = line.split(' ').map((word) => `'${word}'`);
      return `COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _store; echo "\${COMPREPLY[*]}"`;
    });
    const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', `${scripts['bash']}\n${asks.join('\n')}`], {
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    return stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split(' '));
  }

  it('offers commands, options, and the words that options take', () => {
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

describe.each(['bash', 'zsh', 'fish'])('store completion %s', (shell) => {
  it('knows every group', () => {
    for (const group of ['events', 'deliveries', 'keys', 'members', 'login', 'whoami']) {
      expect(scripts[shell]).toContain(group);
    }
  });
});

/** What each shell is asked to tell what it offers at the end of a line; zsh only with its own functions replaced. */
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

describe.each(['bash', 'zsh', 'fish'].filter(hasShell))('store completion %s, where there is that shell,', (shell) => {
  it('is understood by it', () => {
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
  it('leaves the variables alone that the completion of zsh reads', () => {
    expect(scripts['zsh']).toContain('words[2,CURRENT-1]');
    expect(scripts['zsh']).not.toMatch(/\blocal words\b|\bwords=/);
  });
});

describe('store completion fish', () => {
  it('offers files where a command or an option takes one, and nowhere else', () => {
    const offered = (scripts['fish'] ?? '').split('\n').filter((line) => line.endsWith(' -F'));
    expect(offered).toEqual(
      expect.arrayContaining([
        "complete -c store -n '_store_at store scans import' -F",
        "complete -c store -n '_store_after store scans import --policy' -F",
        "complete -c store -n '_store_after store workflows create -f' -F",
      ]),
    );
    expect(offered.filter((line) => line.includes('events'))).toEqual([]);
    expect(scripts['fish']).toContain('\ncomplete -c store -f\n');
  });
});
