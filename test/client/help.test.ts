import { describe, expect, it } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { runClient as runClientProcess } from '../support/client-process.js';
import { runClient } from '../support/client-run.js';

const commands = [
  'events list',
  'events get',
  'scans list',
  'scans get',
  'scans watch',
  'scans import',
  'issues list',
  'workflows list',
  'workflows run',
];

const listing = fileURLToPath(new URL('../support/loaded-modules.mjs', import.meta.url));

/** The URLs of the modules that a command loads. */
async function loadedBy(args: string[]): Promise<string[]> {
  const { stderr } = await runClientProcess(args, { node: ['--import', listing], url: 'http://127.0.0.1:9' });
  return stderr.split('\n').flatMap((line) => (line.startsWith('loaded ') ? [line.slice('loaded '.length)] : []));
}

describe('store --help', () => {
  it('names the groups, the environment and the exit codes', async () => {
    const { code, stdout, stderr } = await runClient(['--help']);
    expect([code, stderr]).toEqual([0, '']);
    for (const word of ['events', 'scans', 'issues', 'workflows', 'STORE_API_URL', 'STORE_API_KEY', 'NO_COLOR']) {
      expect(stdout).toContain(word);
    }
    expect(stdout).toMatch(/3 +not authenticated/);
  });

  it.each(commands)('describes `store %s`, with an example', async (command) => {
    const { code, stdout, stderr } = await runClient([...command.split(' '), '--help']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(new RegExp(`^Usage: store ${command}`));
    expect(stdout).toMatch(new RegExp(`Examples:\n(.*\n)* .*store ${command}`));
    expect(stdout).toMatch(/-o, --output <format>/);
  });

  it('names every specified flag at `store events list`', async () => {
    const { stdout } = await runClient(['help', 'events']);
    const { stdout: list } = await runClient(['events', 'list', '-h']);
    const flags = ['-s, --search', '-p, --profile-id', '--scan-id', '-a, --asset-id', '-i, --issue-id', '--stage'];
    for (const flag of [...flags, '-l, --levels', '--has-attachments', '-t, --attachments']) {
      expect(list).toContain(` ${flag}`);
    }
    expect(stdout).toContain('get|g');
  });

  it('stays within 80 columns, examples aside', async () => {
    for (const command of commands) {
      const { stdout } = await runClient([...command.split(' '), '--help']);
      const long = stdout.split('\n').filter((line) => line.length > 80 && !line.includes('store '));
      expect(long).toEqual([]);
    }
  });

  it('loads commander, and of the client only what every command needs', async () => {
    const loaded = (await loadedBy(['--help'])).filter((url) => url.startsWith('file:'));
    const own = loaded.flatMap((url) => /\/src\/(.+)\.ts$/.exec(url)?.[1] ?? []);
    const needed = ['failure', 'main', 'output/complaints', 'output/harmless', 'program', 'run', 'version'];
    expect(own.sort()).toEqual(needed);
    // The loader of these processes takes @swc where nothing is compiled yet.
    const packages = loaded.flatMap((url) => /\/node_modules\/(?!@swc\/)([^/]+)\//.exec(url)?.[1] ?? []);
    expect([...new Set(packages)]).toEqual(['commander']);
  });

  it('loads the implementation of a command only when it runs', async () => {
    const help = await loadedBy(['--help']);
    const list = await loadedBy(['events', 'list']);
    const named = (url: string) => url.endsWith('/list-events.ts');
    expect([help.some(named), list.some(named)]).toEqual([false, true]);
    expect(list.filter((url) => url.includes('/src/') && !/\/packages\/(client|sdk)\/src\//.test(url))).toEqual([]);
  });
});
