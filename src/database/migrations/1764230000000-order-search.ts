import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What the search of orders reads lies beside them, as with products: else each change of a status would write its words
 * and their index anew. Phone numbers and postcodes are found with and without their blanks.
 */
const words = `
CREATE TABLE order_search (
  order_id integer PRIMARY KEY REFERENCES orders (id) ON DELETE CASCADE,
  words tsvector NOT NULL
);
CREATE INDEX order_search_words_idx ON order_search USING gin (words);

CREATE FUNCTION index_orders(ids integer[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO order_search (order_id, words)
  SELECT o.id, strip(name_words(concat_ws(' ',
           u.username, u.email, u.first_name, u.last_name, o.shipping_first_name, o.shipping_last_name,
           o.shipping_address, o.shipping_zip, replace(o.shipping_zip, ' ', ''), o.shipping_city, o.shipping_phone,
           regexp_replace(o.shipping_phone, '\\D', '', 'g'),
           (SELECT left(string_agg(line.product_name, ' '), 100000) FROM order_items line WHERE line.order_id = o.id))))
    FROM orders o JOIN users u ON u.id = o.user_id
   WHERE o.id = ANY (ids)
   ORDER BY o.id
      ON CONFLICT (order_id) DO UPDATE SET words = excluded.words;
END $$;
`;

/**
 * A new order is only noted: to find its words takes a tenth of a millisecond, which every checkout would take longer. The next
 * search indexes it, or a job. The other triggers keep the words right, also for whoever writes by hand.
 */
const triggers = `
CREATE TABLE unindexed_orders (order_id integer PRIMARY KEY);

CREATE FUNCTION note_unindexed_order() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO unindexed_orders (order_id) VALUES (NEW.id);
  RETURN NULL;
END $$;
CREATE TRIGGER orders_added AFTER INSERT ON orders FOR EACH ROW EXECUTE FUNCTION note_unindexed_order();

CREATE FUNCTION index_changed_order() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM index_orders(ARRAY[NEW.id]);
  RETURN NULL;
END $$;
CREATE TRIGGER orders_addressed
  AFTER UPDATE OF shipping_first_name, shipping_last_name, shipping_address, shipping_zip, shipping_city, shipping_phone
  ON orders FOR EACH ROW EXECUTE FUNCTION index_changed_order();

CREATE FUNCTION index_orders_of_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM index_orders(ARRAY(SELECT id FROM orders WHERE user_id = NEW.id));
  RETURN NULL;
END $$;
CREATE TRIGGER users_renamed AFTER UPDATE OF username, email, first_name, last_name ON users
  FOR EACH ROW
  WHEN ((OLD.username, OLD.email, OLD.first_name, OLD.last_name)
        IS DISTINCT FROM (NEW.username, NEW.email, NEW.first_name, NEW.last_name))
  EXECUTE FUNCTION index_orders_of_user();
`;

/** The words by which orders are found. */
export class OrderSearch1764230000000 implements MigrationInterface {
  name = 'OrderSearch1764230000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [words, triggers]) await runner.query(sql);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only add: restore a backup of before instead'));
  }
}
