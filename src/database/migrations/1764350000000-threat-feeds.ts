import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What feeds say of vulnerabilities: the rows of one generation count, so that a feed is replaced in one moment. */
const feeds = `
CREATE TABLE threat_feeds (
  kind text PRIMARY KEY,
  generation uuid,
  published_at timestamptz,
  read_at timestamptz,
  entries integer NOT NULL DEFAULT 0,
  fault text
);
CREATE TABLE epss_scores (
  generation uuid NOT NULL,
  cve text NOT NULL,
  epss double precision NOT NULL,
  percentile double precision NOT NULL,
  PRIMARY KEY (generation, cve)
);
CREATE TABLE known_exploited (
  generation uuid NOT NULL,
  cve text NOT NULL,
  added_on date,
  due_on date,
  ransomware boolean NOT NULL,
  PRIMARY KEY (generation, cve)
);
ALTER TABLE issues ADD COLUMN epss double precision, ADD COLUMN kev boolean NOT NULL DEFAULT false;
`;

/** Issues follow their identifiers in the same statement, and the feeds by a task. */
const rating = `
CREATE FUNCTION threats_of(ids uuid[]) RETURNS TABLE (issue_id uuid, epss double precision, kev boolean)
LANGUAGE sql STABLE SET enable_seqscan = off AS $$
  SELECT given.id, max(s.epss), coalesce(bool_or(k.cve IS NOT NULL), false)
    FROM unnest(ids) AS given (id)
    LEFT JOIN issue_identifiers x ON x.issue_id = given.id
    LEFT JOIN epss_scores s
           ON s.generation = (SELECT generation FROM threat_feeds WHERE kind = 'EPSS') AND s.cve = x.value
    LEFT JOIN known_exploited k
           ON k.generation = (SELECT generation FROM threat_feeds WHERE kind = 'KEV') AND k.cve = x.value
   GROUP BY given.id
$$;

CREATE FUNCTION rate_identified_issues() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  IF EXISTS (SELECT FROM threat_feeds) THEN
    UPDATE issues i SET epss = t.epss, kev = t.kev
      FROM threats_of(ARRAY(SELECT DISTINCT issue_id FROM changed WHERE value LIKE 'CVE-%')) t
     WHERE i.id = t.issue_id AND (i.epss, i.kev) IS DISTINCT FROM (t.epss, t.kev);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER issue_identifiers_rate_on_insert AFTER INSERT ON issue_identifiers
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION rate_identified_issues();
CREATE TRIGGER issue_identifiers_rate_on_delete AFTER DELETE ON issue_identifiers
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION rate_identified_issues();
`;

/** How probably the vulnerabilities of issues are exploited, and whether they are. */
export class ThreatFeeds1764350000000 implements MigrationInterface {
  name = 'ThreatFeeds1764350000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [feeds, rating]) await runner.query(sql);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only add: restore a backup of before instead'));
  }
}
