import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClientRun } from './client-process.js';
import { runClient, type RunChoices } from './client-run.js';
import { type InsertedOrganization, insertOrganization } from './organizations.js';
import { sarifLog, sarifResult } from './report-imports.js';
import { startTestApp, type TestApp, type TestAppChoices } from './test-app.js';

export type Printed = Record<string, unknown> & { id: string };

/** The client beside a service, with the key of an admin. */
export interface ClientScene {
  app: TestApp;
  organization: InsertedOrganization;
  run(args: string[], choices?: RunChoices): Promise<ClientRun>;
  /** What a command that must succeed prints as JSON; what it writes to standard error is no failure. */
  print<T = Printed>(...args: string[]): Promise<T>;
  /** A JSON file for a command. */
  file(body: object): Promise<string>;
  /** Imports a report with one result of each rule. */
  importIssues(...rules: string[]): Promise<void>;
  close(): Promise<void>;
}

export async function startClientScene(choices: TestAppChoices = {}): Promise<ClientScene> {
  const app = await startTestApp(choices);
  const organization = await insertOrganization(app);
  const key = await organization.key('admin');
  const folder = await mkdtemp(join(tmpdir(), 'store-client-scene-'));
  const scene: ClientScene = {
    app,
    organization,
    run: (args, more = {}) => runClient(args, { url: app.baseUrl, key, ...more }),
    async print<T>(...args: string[]) {
      const { code, stdout, stderr } = await scene.run([...args, '-o', 'json']);
      if (code !== 0) throw new Error(`store ${args.join(' ')} ended with ${code}: ${stderr}`);
      return JSON.parse(stdout) as T;
    },
    async file(body) {
      const path = join(folder, 'body.json');
      await writeFile(path, JSON.stringify(body));
      return path;
    },
    async importIssues(...rules) {
      await scene.print('scans', 'import', await scene.file(sarifLog(rules.map((rule) => sarifResult(rule)))));
    },
    async close() {
      await app.close();
      await rm(folder, { recursive: true });
    },
  };
  return scene;
}
