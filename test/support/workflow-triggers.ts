import { uuidV7 } from '../../src/platform/crypto/uuid-v7.js';
import type { EventTriggerType } from '../../src/scanning/vocabulary.js';
import type { TestApp } from './test-app.js';

export interface FiredTrigger {
  type: EventTriggerType;
  subjects: string[];
}

/** Copies every trigger that is recorded from now on; returns a function that reads an organization's. */
export async function watchTriggers(app: TestApp): Promise<(organizationId: string) => Promise<FiredTrigger[]>> {
  await app.database.rows(
    `CREATE TABLE fired (
       number bigint GENERATED ALWAYS AS IDENTITY, organization_id uuid NOT NULL, type text NOT NULL, subjects jsonb NOT NULL);
     CREATE FUNCTION note_fired() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN
         INSERT INTO fired (organization_id, type, subjects) VALUES (NEW.organization_id, NEW.type, NEW.subjects);
         RETURN NULL;
       END $$;
     CREATE TRIGGER note_fired AFTER INSERT ON workflow_triggers FOR EACH ROW EXECUTE FUNCTION note_fired()`,
  );
  return (organizationId) =>
    app.database.rows<FiredTrigger>('SELECT type, subjects FROM fired WHERE organization_id = $1 ORDER BY number', [
      organizationId,
    ]);
}

/** Gives the organization an enabled workflow, without actions, for each of the types. */
export async function listenTo(app: TestApp, organizationId: string, ...types: EventTriggerType[]): Promise<void> {
  for (const type of types) {
    await app.database.rows(
      'INSERT INTO workflows (id, organization_id, name, trigger_type) VALUES ($1, $2, $3::text, $3::text)',
      [uuidV7(), organizationId, type],
    );
  }
}
