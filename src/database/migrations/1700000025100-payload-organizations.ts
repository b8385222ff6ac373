import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The organization of each chunk of a payload, which leads to it where they are spread over servers. Nodes of the release
 * before do not give it, so a trigger does; their statements go by the run alone, as the key still does.
 */
const column = `
ALTER TABLE workflow_run_payloads ADD COLUMN organization_id uuid;

CREATE FUNCTION give_payload_organization() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.organization_id := (SELECT organization_id FROM workflow_runs WHERE id = NEW.run_id);
  RETURN NEW;
END $$;
CREATE TRIGGER workflow_run_payloads_added BEFORE INSERT ON workflow_run_payloads
  FOR EACH ROW WHEN (NEW.organization_id IS NULL) EXECUTE FUNCTION give_payload_organization();
`;

const fill = `
UPDATE workflow_run_payloads p SET organization_id = r.organization_id
  FROM workflow_runs r WHERE r.id = p.run_id AND p.organization_id IS NULL`;

export class PayloadOrganizations1700000025100 implements MigrationInterface {
  name = 'PayloadOrganizations1700000025100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(column);
    await runner.query(fill);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP FUNCTION give_payload_organization CASCADE; ALTER TABLE workflow_run_payloads DROP COLUMN organization_id',
    );
  }
}
