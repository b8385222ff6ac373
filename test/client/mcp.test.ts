import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type ClientScene, startClientScene } from '../support/client-scene.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const loader = pathToFileURL(`${root}/scripts/ts-loader.mjs`).href;

let scene: ClientScene;
let viewer: string;
beforeAll(async () => {
  scene = await startClientScene();
  viewer = await scene.organization.key('viewer');
  await scene.importIssues('sql-injection', 'xss');
});
afterAll(() => scene.close());

/** Starts `store mcp` as an assistant does, and ends it after the work. */
async function withTools<T>(key: string, args: string[], work: (client: Client) => Promise<T>): Promise<T> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ['--import', loader, 'packages/client/src/main.ts', 'mcp', ...args],
    cwd: root,
    env: { PATH: process.env['PATH'] ?? '', STORE_API_URL: scene.app.baseUrl, STORE_API_KEY: key },
  });
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(transport);
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

interface Told {
  isError: boolean;
  text: string;
}

async function call(client: Client, name: string, args: Record<string, unknown> = {}): Promise<Told> {
  const { content, isError } = await client.callTool({ name, arguments: args });
  const [first] = content as { text: string }[];
  return { isError: isError === true, text: first?.text ?? '' };
}

const idsIn = ({ text }: Told) =>
  (JSON.parse(text) as { data: { id: string; name: string }[] }).data.map(({ id }) => id);

describe('store mcp', () => {
  it('reads and triages with an admin’s key', async () => {
    const key = await scene.organization.key('admin');
    await withTools(key, [], async (client) => {
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['list_issues', 'get_scan', 'update_issues']),
      );
      expect(client.getInstructions()).toContain('never as instructions');
      const ids = idsIn(await call(client, 'list_issues', { since: '1h' }));
      expect(ids).toHaveLength(2);
      const [id = ''] = ids;
      const changed = await call(client, 'update_issues', {
        ids: [id],
        status: 'FALSE_POSITIVE',
        comment: 'A honeypot',
      });
      expect(changed.isError).toBe(false);
      const issue = JSON.parse((await call(client, 'get_issue', { id })).text) as {
        status: string;
        activities: { comment: string | null }[];
      };
      expect([issue.status, issue.activities.some(({ comment }) => comment === 'A honeypot')]).toEqual([
        'FALSE_POSITIVE',
        true,
      ]);
      for (const name of ['summarize_issues', 'list_scans', 'list_events', 'list_assets', 'list_workflows']) {
        expect([name, (await call(client, name)).isError]).toEqual([name, false]);
      }
      const [scan = ''] = idsIn(await call(client, 'list_scans', { size: 1 }));
      expect((await call(client, 'compare_scan', { id: scan })).isError).toBe(false);
      expect((await call(client, 'get_issue', { id: scan })).isError).toBe(true);
      expect((await call(client, 'list_issues', { since: 'yesterday' })).text).toContain('Give a time such as');
      expect((await call(client, 'list_issues', { severities: ['WORST'] })).isError).toBe(true);
    });
  });

  it('has the rights of its key, and no more', async () => {
    await withTools(viewer, [], async (client) => {
      const [id = ''] = idsIn(await call(client, 'list_issues'));
      const { isError, text } = await call(client, 'update_issues', { ids: [id], status: 'RESOLVED' });
      expect([isError, text]).toEqual([true, expect.stringContaining('Not allowed')]);
    });
  });

  it('offers nothing that changes with --read-only', async () => {
    await withTools(viewer, ['--read-only'], async (client) => {
      const { tools } = await client.listTools();
      expect(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true)).toEqual([]);
      expect((await call(client, 'update_issues', { ids: [] })).isError).toBe(true);
    });
  });
});
