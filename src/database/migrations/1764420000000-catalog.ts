import type { MigrationInterface, QueryRunner } from 'typeorm';

const products = `
ALTER TABLE products
  ADD COLUMN group_id uuid,
  ADD COLUMN slug text,
  ADD COLUMN sku varchar(64),
  ADD COLUMN status text NOT NULL DEFAULT 'published' CHECK (status IN ('draft', 'published')),
  ADD COLUMN review_count integer NOT NULL DEFAULT 0,
  ADD COLUMN rating_sum integer NOT NULL DEFAULT 0;
ALTER TABLE product_search ADD COLUMN is_public boolean NOT NULL DEFAULT true;
`;

const categories = `
CREATE TABLE categories (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  slug varchar(80) NOT NULL,
  name varchar(100) NOT NULL,
  description text,
  image_url text,
  parent_id integer REFERENCES categories (id),
  position integer NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT categories_slug_key UNIQUE (slug)
);
CREATE INDEX categories_parent_idx ON categories (parent_id);

CREATE TABLE product_categories (
  product_id integer NOT NULL REFERENCES products (id) ON DELETE CASCADE,
  category_id integer NOT NULL REFERENCES categories (id) ON DELETE CASCADE,
  PRIMARY KEY (product_id, category_id)
);
CREATE INDEX product_categories_category_idx ON product_categories (category_id, product_id);
`;

/** The row at position 0 has the alternative text of the product's own picture; the others follow that picture. */
const images = `
CREATE TABLE product_images (
  product_id integer NOT NULL REFERENCES products (id) ON DELETE CASCADE,
  position integer NOT NULL CHECK (position >= 0),
  url text NOT NULL,
  alt varchar(300),
  PRIMARY KEY (product_id, position)
);
CREATE INDEX product_images_picture_idx ON product_images ((substring(url, '/uploads/[a-z]+/([^/?#]+)')))
  WHERE url LIKE '%/uploads/%';
CREATE INDEX categories_picture_idx ON categories ((substring(image_url, '/uploads/[a-z]+/([^/?#]+)')))
  WHERE image_url LIKE '%/uploads/%';
CREATE TRIGGER product_images_picture BEFORE INSERT OR UPDATE OF url ON product_images
  FOR EACH ROW WHEN (NEW.url LIKE '%/uploads/%') EXECUTE FUNCTION hold_shown_picture('url');
CREATE TRIGGER categories_picture BEFORE INSERT OR UPDATE OF image_url ON categories
  FOR EACH ROW WHEN (NEW.image_url LIKE '%/uploads/%') EXECUTE FUNCTION hold_shown_picture('image_url');
`;

/** Letters of one character in Latin, and those that become several or none. */
const letters: [from: string, to: string][] = [
  ['абвгґдеѐёзиѝіїйклмнопрстуўфыэє', 'abvggdeeeziiiijklmnoprstuufyee'],
  ['αβγδεζηικλμνξοπρσςτυφω', 'avgdeziiklmnxoprsstyfo'],
];
const syllables: [from: string, to: string][] = [
  ['ж', 'zh'],
  ['х', 'kh'],
  ['ц', 'ts'],
  ['ч', 'ch'],
  ['ш', 'sh'],
  ['щ', 'shch'],
  ['ю', 'yu'],
  ['я', 'ya'],
  ['ъ', ''],
  ['ь', ''],
  ['ђ', 'dj'],
  ['ј', 'j'],
  ['љ', 'lj'],
  ['њ', 'nj'],
  ['ћ', 'c'],
  ['џ', 'dz'],
  ['θ', 'th'],
  ['χ', 'ch'],
  ['ψ', 'ps'],
];

function inLatin(text: string): string {
  const byLetter = letters.reduce((sql, [from, to]) => `translate(${sql}, '${from}', '${to}')`, text);
  return syllables.reduce((sql, [from, to]) => `replace(${sql}, '${from}', '${to}')`, byLetter);
}

/**
 * The slug of a name in Latin, Greek or Cyrillic letters; empty for one in other letters. A product takes the slug of its name
 * where nobody else has or had it, else one with its number. The table of slugs has the present ones too: its key alone
 * decides of two that are made at once.
 */
function slugs(isUnicode: boolean): string {
  return `
CREATE TABLE product_slugs (
  slug varchar(120) PRIMARY KEY,
  product_id integer NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT product_slugs_product_id_fkey FOREIGN KEY (product_id) REFERENCES products (id) ON DELETE CASCADE
    DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX product_slugs_product_idx ON product_slugs (product_id, created_at);

CREATE FUNCTION slug_of(t text) RETURNS text LANGUAGE plpgsql STABLE STRICT AS $$
BEGIN
  RETURN btrim(left(btrim(regexp_replace(${isUnicode ? inLatin('search_key(t)') : 'search_key(t)'}, '[^a-z0-9]+', '-', 'g'), '-'), 80), '-');
END $$;

CREATE FUNCTION take_slug(id integer, wanted text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  base text := CASE WHEN slug_of(wanted) = '' THEN 'product' ELSE slug_of(wanted) END;
  candidate text := CASE WHEN base ~ '^(product|[0-9]+)$' THEN base || '-' || id ELSE base END;
BEGIN
  FOR n IN 1..1000 LOOP
    INSERT INTO product_slugs (slug, product_id) VALUES (candidate, id) ON CONFLICT DO NOTHING;
    IF FOUND THEN RETURN candidate; END IF;
    candidate := base || '-' || id || CASE WHEN n = 1 THEN '' ELSE '-' || n END;
  END LOOP;
  RAISE 'There is no free slug for product %', id;
END $$;

CREATE FUNCTION give_slug() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.slug := take_slug(NEW.id, coalesce(NEW.slug, NEW.name));
  RETURN NEW;
END $$;
CREATE TRIGGER products_slug BEFORE INSERT ON products FOR EACH ROW EXECUTE FUNCTION give_slug();
`;
}

/**
 * What the public lists filter and sort by lies beside the products, and only of those that the shop shows: otherwise each
 * order, which changes the stock, would write all these indexes anew. `keys` are the values of the filters. A product is locked
 * before it is read, so that of two changes at once the later one decides.
 */
const listings = `
CREATE TABLE product_listings (
  product_id integer PRIMARY KEY REFERENCES products (id) ON DELETE CASCADE,
  group_id uuid,
  name text NOT NULL,
  price numeric(12,2) NOT NULL,
  rating smallint NOT NULL,
  keys text[] NOT NULL
);
CREATE INDEX product_listings_group_idx ON product_listings (group_id) WHERE group_id IS NOT NULL;
CREATE INDEX product_listings_name_idx ON product_listings ((lower(name) COLLATE names_in_order), product_id);
CREATE INDEX product_listings_price_idx ON product_listings (price, product_id);
CREATE INDEX product_listings_rating_idx ON product_listings (rating, product_id);
CREATE INDEX product_listings_keys_idx ON product_listings USING gin (keys);

CREATE FUNCTION list_products(ids integer[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM products WHERE id = ANY (ids) ORDER BY id FOR NO KEY UPDATE;

  DELETE FROM product_listings l
   USING products p
   WHERE l.product_id = ANY (ids) AND p.id = l.product_id AND (p.deleted_at IS NOT NULL OR p.status <> 'published');

  INSERT INTO product_listings (product_id, group_id, name, price, rating, keys)
  SELECT p.id, p.group_id, p.name, p.price, coalesce(round(100.0 * p.rating_sum / nullif(p.review_count, 0)), 0),
         array_remove(ARRAY['color:' || lower(p.color), 'size:' || lower(p.size), 'material:' || lower(p.material),
                            CASE WHEN p.stock > 0 THEN 'stock' END], NULL)
           || ARRAY(SELECT 'category:' || category_id FROM product_categories WHERE product_id = p.id ORDER BY category_id)
    FROM products p
   WHERE p.id = ANY (ids) AND p.deleted_at IS NULL AND p.status = 'published'
   ORDER BY p.id
      ON CONFLICT (product_id) DO UPDATE
     SET group_id = excluded.group_id, name = excluded.name, price = excluded.price, rating = excluded.rating,
         keys = excluded.keys;

  UPDATE product_search s SET is_public = NOT s.is_public
    FROM products p
   WHERE s.product_id = ANY (ids) AND p.id = s.product_id AND s.is_public <> (p.status = 'published');
END $$;

CREATE FUNCTION list_added_products() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM list_products(ARRAY(SELECT id FROM added));
  RETURN NULL;
END $$;
CREATE TRIGGER products_listed AFTER INSERT ON products
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION list_added_products();

CREATE FUNCTION list_changed_product() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM list_products(ARRAY[NEW.id]);
  RETURN NULL;
END $$;
CREATE TRIGGER products_listed_anew
  AFTER UPDATE OF name, price, color, material, size, group_id, status, deleted_at, review_count, rating_sum ON products
  FOR EACH ROW
  WHEN ((OLD.name, OLD.price, OLD.color, OLD.material, OLD.size, OLD.group_id, OLD.status, OLD.deleted_at, OLD.review_count,
         OLD.rating_sum)
        IS DISTINCT FROM
        (NEW.name, NEW.price, NEW.color, NEW.material, NEW.size, NEW.group_id, NEW.status, NEW.deleted_at, NEW.review_count,
         NEW.rating_sum))
  EXECUTE FUNCTION list_changed_product();
CREATE TRIGGER products_sold_out AFTER UPDATE OF stock ON products
  FOR EACH ROW WHEN ((OLD.stock = 0) <> (NEW.stock = 0)) EXECUTE FUNCTION list_changed_product();

CREATE FUNCTION list_categorized_products() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM list_products(ARRAY(SELECT DISTINCT product_id FROM changed));
  RETURN NULL;
END $$;
CREATE TRIGGER product_categories_added AFTER INSERT ON product_categories
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION list_categorized_products();
CREATE TRIGGER product_categories_removed AFTER DELETE ON product_categories
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION list_categorized_products();
`;

/** The ratings of products are kept by whatever writes reviews, also where they go with an account. */
const ratings = `
CREATE FUNCTION rate_products(ids integer[], counts integer[], sums integer[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM products WHERE id = ANY (ids) ORDER BY id FOR NO KEY UPDATE;
  UPDATE products
     SET review_count = review_count + change.count, rating_sum = rating_sum + change.sum
    FROM unnest(ids, counts, sums) AS change (id, count, sum)
   WHERE products.id = change.id;
END $$;

CREATE FUNCTION rate_by_added_reviews() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM rate_products(array_agg(product_id), array_agg(count), array_agg(sum))
    FROM (SELECT product_id, count(*)::integer AS count, sum(rating)::integer AS sum FROM added GROUP BY product_id) AS change
  HAVING count(*) > 0;
  RETURN NULL;
END $$;
CREATE TRIGGER reviews_rate_on_insert AFTER INSERT ON reviews
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION rate_by_added_reviews();

CREATE FUNCTION rate_by_removed_reviews() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM rate_products(array_agg(product_id), array_agg(-count), array_agg(-sum))
    FROM (SELECT product_id, count(*)::integer AS count, sum(rating)::integer AS sum FROM removed GROUP BY product_id) AS change
  HAVING count(*) > 0;
  RETURN NULL;
END $$;
CREATE TRIGGER reviews_rate_on_delete AFTER DELETE ON reviews
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION rate_by_removed_reviews();

CREATE FUNCTION rate_by_changed_review() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM rate_products(ARRAY[NEW.product_id], ARRAY[0], ARRAY[NEW.rating - OLD.rating]);
  RETURN NULL;
END $$;
CREATE TRIGGER reviews_rate_on_update AFTER UPDATE OF rating ON reviews
  FOR EACH ROW WHEN (OLD.rating <> NEW.rating) EXECUTE FUNCTION rate_by_changed_review();
`;

/** What a shop front needs of the catalog: groups, slugs, drafts, galleries, categories, ratings, and filters of lists. */
export class Catalog1764420000000 implements MigrationInterface {
  name = 'Catalog1764420000000';

  async up(runner: QueryRunner): Promise<void> {
    const [{ server_encoding }] = (await runner.query('SHOW server_encoding')) as [{ server_encoding: string }];
    const all = [products, categories, images, slugs(server_encoding === 'UTF8'), listings, ratings];
    for (const sql of all) await runner.query(sql);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only add: restore a backup of before instead'));
  }
}
