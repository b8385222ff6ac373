import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The words of names and addresses as the search for people compares them: without case and accents. An index is made of it,
 * and PostgreSQL evaluates those with no search path, so that all names are qualified. Its cost keeps plans from evaluating
 * it row by row.
 */
const words = (composed: string, schema: string) => `
CREATE FUNCTION name_words(t text) RETURNS tsvector LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE COST 1000 AS $$
BEGIN
  RETURN to_tsvector('pg_catalog.simple', translate(
    lower(${schema}.unaccent('${schema}.unaccent', lower(${composed}))), './@_:+-''', '        '));
END $$`;

/** All words of a text, each as the beginning of a word; null where it has none. */
const query = `
CREATE FUNCTION name_query(t text) RETURNS tsquery LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT string_agg('''' || word || ''':*', ' & ')::tsquery FROM unnest(tsvector_to_array(name_words(t))) AS word
$$`;

/** Functions of the search for people by their names. */
export class NameWords1700030005000 implements MigrationInterface {
  name = 'NameWords1700030005000';

  async up(runner: QueryRunner): Promise<void> {
    const [{ server_encoding }] = (await runner.query('SHOW server_encoding')) as [{ server_encoding: string }];
    const [{ schema }] = (await runner.query(
      `SELECT quote_ident(nspname) AS schema FROM pg_extension JOIN pg_namespace n ON n.oid = extnamespace
        WHERE extname = 'unaccent'`,
    )) as [{ schema: string }];
    // PostgreSQL normalizes Unicode alone; other encodings know composed letters only.
    await runner.query(words(server_encoding === 'UTF8' ? 'normalize(t, NFC)' : 't', schema));
    await runner.query(query);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION name_query, name_words');
  }
}
