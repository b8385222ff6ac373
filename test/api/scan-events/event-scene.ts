import { afterAll, beforeAll } from '@jest/globals';
import { EventCalls } from '../../support/events.js';
import { insertOrganization } from '../../support/organizations.js';
import { Scanning } from '../../support/scanning.js';
import { startTestApp, type TestApp, type TestAppChoices } from '../../support/test-app.js';

/** The fixtures of the tests of events. */
export class EventScene {
  app!: TestApp;
  acme!: Scanning;
  /** Another organization. */
  other!: Scanning;
  /** Calls of a member of `acme`. */
  events!: EventCalls;
  /** A scan of `acme`. */
  scanId!: string;

  async open(choices: TestAppChoices): Promise<void> {
    this.app = await startTestApp(choices);
    this.acme = new Scanning(this.app, await insertOrganization(this.app));
    this.other = new Scanning(this.app, await insertOrganization(this.app));
    this.events = new EventCalls(this.app, this.acme.token);
    this.scanId = (await this.acme.scan()).id;
  }
}

/** Sets the scene of a test file: one app with two organizations. */
export function eventScene(choices: TestAppChoices = {}): EventScene {
  const scene = new EventScene();
  beforeAll(() => scene.open(choices));
  afterAll(() => scene.app.close());
  return scene;
}
