import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The organization of each chunk of a payload, which leads to it where they are spread over servers. Nodes of the release
 * before do not give it, so a trigger does; their statements go by the run alone, as the key still does.
 */
const column = `
ALTER TABLE workflow_run_payloads ADD COLUMN IF NOT EXISTS organization_id uuid;

CREATE OR REPLACE FUNCTION give_payload_organization() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.organization_id := (SELECT organization_id FROM workflow_runs WHERE id = NEW.run_id);
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER workflow_run_payloads_added BEFORE INSERT ON workflow_run_payloads
  FOR EACH ROW WHEN (NEW.organization_id IS NULL) EXECUTE FUNCTION give_payload_organization();
`;

/** Of the runs after $1, $2 at once: no payload is locked for long. */
const fill = `
WITH runs AS (SELECT id, organization_id FROM workflow_runs WHERE id > $1 ORDER BY id LIMIT $2),
filled AS (
  UPDATE workflow_run_payloads p SET organization_id = r.organization_id
    FROM runs r WHERE r.id = p.run_id AND p.organization_id IS NULL)
SELECT id FROM runs ORDER BY id DESC LIMIT 1`;
const atOnce = 500;

export class PayloadOrganizations1700000025100 implements MigrationInterface {
  name = 'PayloadOrganizations1700000025100';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(column);
    for (let last: string | undefined = '00000000-0000-0000-0000-000000000000'; last !== undefined;) {
      const [row] = (await runner.query(fill, [last, atOnce])) as { id: string }[];
      last = row?.id;
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP FUNCTION give_payload_organization CASCADE; ALTER TABLE workflow_run_payloads DROP COLUMN organization_id',
    );
  }
}
