import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Texts as the search compares them: without case and accents, composed and decomposed letters alike. */
const functions = (composed: string) => `
CREATE EXTENSION IF NOT EXISTS unaccent;

CREATE FUNCTION search_key(t text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  RETURN lower(unaccent('unaccent', lower(${composed})));
END $$;

CREATE FUNCTION search_pattern(t text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  RETURN '%' || replace(replace(replace(search_key(t), '\\', '\\\\'), '%', '\\%'), '_', '\\_') || '%';
END $$;`;

/**
 * What the search reads lies beside the products: else each order, which changes their stock, would write all of it, and
 * its indexes, anew. The words are those of all products; a word that no product has any more stays, and finds nothing.
 */
const tables = `
CREATE TABLE product_search (
  product_id integer PRIMARY KEY REFERENCES products (id) ON DELETE CASCADE,
  name_key text NOT NULL,
  text_key text NOT NULL
);

CREATE TABLE product_words (word text PRIMARY KEY);

SELECT show_limit(); -- loads pg_trgm, without which its setting is known to superusers alone

CREATE FUNCTION alike_words(t text, most integer) RETURNS SETOF text LANGUAGE sql STABLE
  SET pg_trgm.similarity_threshold = 0.25 AS $$
  SELECT word FROM product_words
   WHERE word % t AND similarity(word, t) >= CASE WHEN char_length(t) < 6 THEN 0.3 ELSE 0.25 END
   ORDER BY similarity(word, t) DESC, word
   LIMIT most
$$;

CREATE FUNCTION index_products(ids integer[]) RETURNS void LANGUAGE sql AS $$
  DELETE FROM product_search
   USING products
   WHERE products.id = product_search.product_id AND products.id = ANY (ids) AND products.deleted_at IS NOT NULL;

  INSERT INTO product_search (product_id, name_key, text_key)
  SELECT p.id, btrim(regexp_replace(search_key(p.name), '\\s+', ' ', 'g')),
         search_key(concat_ws(E'\\n', p.name, p.description))
    FROM unnest(ids) AS id JOIN products p USING (id)
   WHERE p.deleted_at IS NULL
      ON CONFLICT (product_id) DO UPDATE SET name_key = excluded.name_key, text_key = excluded.text_key;

  INSERT INTO product_words (word)
  SELECT DISTINCT word
    FROM unnest(ids) AS id
    JOIN product_search s ON s.product_id = id,
         unnest(tsvector_to_array(to_tsvector('simple', translate(s.text_key, './@_:', '     ')))) AS word
   WHERE char_length(word) BETWEEN 3 AND 50 AND word ~ '[^0-9.+-]'
   ORDER BY word
      ON CONFLICT DO NOTHING;
$$;`;

/** After the tables are filled: an index is built faster at once than row by row. */
const indexes = `
CREATE INDEX product_search_name_idx ON product_search (name_key, product_id);
CREATE INDEX product_search_text_idx ON product_search USING gin (name_key gin_trgm_ops, text_key gin_trgm_ops);
CREATE INDEX product_words_alike_idx ON product_words USING gin (word gin_trgm_ops);
ANALYZE product_search, product_words`;

/** By trigger, so that nodes of the version before, and whoever writes products by hand, keep the search right too. */
const triggers = `
CREATE FUNCTION index_added_products() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM index_products(ARRAY(SELECT id FROM added));
  RETURN NULL;
END $$;

CREATE FUNCTION index_changed_product() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM index_products(ARRAY[NEW.id]);
  RETURN NULL;
END $$;

CREATE TRIGGER products_added AFTER INSERT ON products
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION index_added_products();

CREATE TRIGGER products_changed AFTER UPDATE OF name, description, deleted_at ON products
  FOR EACH ROW EXECUTE FUNCTION index_changed_product();`;

/**
 * The search by words. The indexes that only the former search read go, since each order pays for them; a node of the
 * version before finds the same without them, more slowly.
 */
export class ProductSearch1700000009100 implements MigrationInterface {
  name = 'ProductSearch1700000009100';

  async up(runner: QueryRunner): Promise<void> {
    const [{ server_encoding }] = (await runner.query('SHOW server_encoding')) as [{ server_encoding: string }];
    // PostgreSQL normalizes Unicode alone; other encodings know composed letters only.
    await runner.query(functions(server_encoding === 'UTF8' ? 'normalize(t, NFC)' : 't'));
    await runner.query(tables);
    await runner.query(triggers);
    await runner.query('SELECT index_products(ARRAY(SELECT id FROM products WHERE deleted_at IS NULL))');
    await runner.query(indexes);
    await runner.query('DROP INDEX products_text_idx, products_name_idx');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX products_name_idx ON products (lower(name), id) WHERE deleted_at IS NULL;
      CREATE INDEX products_text_idx ON products
        USING gin (name gin_trgm_ops, description gin_trgm_ops) WHERE deleted_at IS NULL;
      DROP TRIGGER products_changed ON products;
      DROP TRIGGER products_added ON products;
      DROP FUNCTION index_changed_product, index_added_products, index_products, alike_words;
      DROP TABLE product_words, product_search;
      DROP FUNCTION search_pattern, search_key`);
  }
}
