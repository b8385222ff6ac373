import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Command } from 'commander';
import { storeProgram } from '../../packages/client/src/program.js';
import { runClient } from '../support/client-run.js';
import { expectFile } from '../support/snapshot-file.js';

const discarding = { isTTY: false, write: () => true } as never;

let store: Command;
beforeAll(async () => {
  store = await storeProgram({ stdout: discarding, stderr: discarding }, () => {
    throw new Error('No command runs here');
  });
});

/** The commands with a help of their own, each after its parent. */
function pathsOf(command: Command, path: string[]): string[][] {
  return [path, ...command.commands.flatMap((one) => pathsOf(one, [...path, one.name()]))];
}

async function helpOf(path: string[]): Promise<string> {
  const { code, stdout } = await runClient([...path, '--help']);
  expect([path, code]).toEqual([path, 0]);
  return stdout.trimEnd();
}

const intro = `# The command-line client

What \`store --help\` and its commands say. Written by \`npm run docs:cli\`, and held by \`test/client/cli-docs.test.ts\`.
`;

describe('docs/cli.md', () => {
  it("matches the commands' own help", async () => {
    const sections: string[] = [];
    for (const path of pathsOf(store, [])) {
      const title = ['store', ...path].join(' ');
      sections.push(`${'#'.repeat(2 + Math.min(path.length, 2))} ${title}\n\n\`\`\`\n${await helpOf(path)}\n\`\`\`\n`);
    }
    await expectFile(new URL('../../docs/cli.md', import.meta.url), [intro, ...sections].join('\n'));
  });

  it('has every command, each with an example of its own', async () => {
    const leaves = pathsOf(store, []).filter((path) => commandAt(path).commands.length === 0);
    expect(leaves.length).toBeGreaterThan(25);
    for (const path of leaves) {
      expect(await helpOf(path)).toMatch(new RegExp(`Examples:\n(.*\n)*.*\\bstore ${path.join(' ')}\\b`));
    }
  });
});

function commandAt(path: string[]): Command {
  return path.reduce((command, name) => command.commands.find((one) => one.name() === name) ?? command, store);
}
