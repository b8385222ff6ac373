import { spawnSync } from 'node:child_process';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { runClient } from '../support/client-run.js';

const scripts: Record<string, string> = {};

beforeAll(async () => {
  for (const shell of ['bash', 'zsh', 'fish']) scripts[shell] = (await runClient(['completion', shell])).stdout;
});

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

describe.each(['bash', 'zsh', 'fish'].filter(hasShell))('store completion %s, where there is that shell,', (shell) => {
  it('is understood by it', () => {
    const { status, stderr } = spawnSync(shell, ['-n'], { input: scripts[shell] ?? '', encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
  });
});
