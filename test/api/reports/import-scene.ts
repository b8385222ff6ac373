import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import type { ImportResult } from '../../../src/scanning/reports/reports.dto.js';
import { type InsertedOrganization, insertOrganization } from '../../support/organizations.js';
import { FoundIssues, Imports, sarifLog, sarifResult } from '../../support/report-imports.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { type FiredTrigger, watchTriggers } from '../../support/workflow-triggers.js';

/** The fixtures of the tests of imports. */
export class ImportScene {
  app!: TestApp;
  organization!: InsertedOrganization;
  /** Imports by the organization's member. */
  imports!: Imports;
  /** The issues that the organization's viewer sees. */
  issues!: FoundIssues;
  private firedIn!: (organizationId: string) => Promise<FiredTrigger[]>;

  async open(): Promise<void> {
    this.app = await startTestApp();
    this.firedIn = await watchTriggers(this.app);
  }

  /** Replaces the organization. */
  async renew(): Promise<void> {
    this.organization = await insertOrganization(this.app);
    this.imports = new Imports(this.app.api, this.organization.member.token);
    this.issues = new FoundIssues(this.app.api, this.organization.viewer.token);
  }

  /** The triggers recorded for the organization's workflows, oldest first. */
  fired(): Promise<FiredTrigger[]> {
    return this.firedIn(this.organization.id);
  }

  /** The status of each issue, by its name. */
  async statuses(query = ''): Promise<Record<string, string>> {
    return Object.fromEntries((await this.issues.list(query)).map(({ name, status }) => [name, status]));
  }
}

/** Sets the scene of a test file: one app, and for each test an organization of its own. */
export function importScene(): ImportScene {
  const scene = new ImportScene();
  beforeAll(() => scene.open());
  beforeEach(() => scene.renew());
  afterAll(() => scene.app.close());
  return scene;
}

/** A SARIF report with a result of each of these rules. */
export function reportOf(...rules: string[]): object {
  return sarifLog(rules.map((rule) => sarifResult(rule)));
}

/** The names of the issues that a response lists as gone. */
export function goneOf({ issues }: ImportResult): string[] {
  return issues.filter(({ outcome }) => outcome === 'GONE').map(({ name }) => name);
}
