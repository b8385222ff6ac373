import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { type InsertedOrganization, insertOrganization } from './organizations.js';
import { type Receiver, startReceiver } from './receiver.js';
import { ScanningRows } from './scanning-rows.js';
import { startTestApp, type TestApp, type TestAppChoices } from './test-app.js';
import { WorkflowCalls } from './workflows.js';

/** An address of the public internet, for tests in which no job runs and thus nothing is sent. */
export const publicUrl = 'https://192.0.32.10/hook';

/** The fixtures of the tests of workflows and webhooks. */
export class WorkflowScene {
  service!: TestApp;
  organization!: InsertedOrganization;
  /** Writes the organization's things straight into the database. */
  things!: ScanningRows;
  /** Calls routes as the organization's admin. */
  calls!: WorkflowCalls;
  /** Receives what the organization's workflows send. */
  receiver!: Receiver;

  /** Replaces the organization and the receiver. */
  async renew(): Promise<void> {
    const [last, service] = [this.receiver as Receiver | undefined, this.service];
    this.receiver = await startReceiver();
    this.organization = await insertOrganization(service);
    this.things = new ScanningRows(service, this.organization.id);
    this.calls = new WorkflowCalls(service, this.organization);
    await last?.close();
  }

  /** Makes a workflow that sends to the receiver once; returns its id. */
  async runOnce(parameters: Record<string, unknown> = {}): Promise<string> {
    const { id } = await this.calls.make(this.receiver.url, { parameters });
    await this.calls.run(id);
    return id;
  }

  /** Runs a workflow and returns the payload that the receiver gets next. */
  async sentPayload(parameters: Record<string, unknown> = {}): Promise<Record<string, Record<string, unknown>[]>> {
    const index = this.receiver.received.length;
    await this.runOnce(parameters);
    return this.receiver.payload(index);
  }

  /** Chooses the variant of the organization's payloads. */
  async chooseVariant(shape: 'default' | 'scoped'): Promise<void> {
    const sql = 'UPDATE organizations SET scoped_webhook_export_payload = $2 WHERE id = $1';
    await this.service.database.rows(sql, [this.organization.id, shape === 'scoped']);
  }
}

/** Sets the scene of a test file: one service, and for each test an organization and a receiver of its own. */
export function workflowScene({ env, ...choices }: TestAppChoices = {}): WorkflowScene {
  const scene = new WorkflowScene();
  const allow: Record<string, string> = choices.jobs ? { EGRESS_ALLOW: '127.0.0.1' } : {};
  beforeAll(async () => {
    scene.service = await startTestApp({ ...choices, env: { ...allow, ...env } });
  });
  beforeEach(() => scene.renew());
  afterAll(async () => {
    await scene.service.close();
    await scene.receiver.close();
  });
  return scene;
}
