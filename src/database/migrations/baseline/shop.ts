const products = `
CREATE TABLE products (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name varchar(200) NOT NULL,
  description text,
  price numeric(12,2) NOT NULL CHECK (price >= 0),
  stock integer NOT NULL CHECK (stock >= 0),
  color text,
  material text,
  size text,
  image_url text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  deleted_at timestamptz(3)
);
CREATE INDEX products_listed_idx ON products (id) WHERE deleted_at IS NULL;
CREATE INDEX products_name_idx ON products ((lower(name) COLLATE names_in_order), id) WHERE deleted_at IS NULL;
CREATE INDEX products_color_name_idx ON products (lower(color), (lower(name) COLLATE names_in_order), id)
  WHERE deleted_at IS NULL;
CREATE INDEX products_price_idx ON products (price, id) WHERE deleted_at IS NULL;
CREATE INDEX products_low_stock_idx ON products (stock) WHERE deleted_at IS NULL;
`;

/**
 * The text for the search is in a table of its own: otherwise each order, which changes the stock of its products,
 * would rewrite all of it and its indexes. The words are those of all products; a word that no product has any more
 * stays, and finds nothing. Triggers keep both up to date, also when products are written by hand.
 */
const search = `
CREATE TABLE product_search (
  product_id integer PRIMARY KEY REFERENCES products (id) ON DELETE CASCADE,
  name_key text NOT NULL,
  text_key text NOT NULL
);
CREATE INDEX product_search_name_idx ON product_search (name_key, product_id);
CREATE INDEX product_search_text_idx ON product_search USING gin (name_key gin_trgm_ops, text_key gin_trgm_ops);

CREATE TABLE product_words (word text PRIMARY KEY);
CREATE INDEX product_words_alike_idx ON product_words USING gin (word gin_trgm_ops);

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
$$;

CREATE FUNCTION index_added_products() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM index_products(ARRAY(SELECT id FROM added));
  RETURN NULL;
END $$;
CREATE TRIGGER products_added AFTER INSERT ON products
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION index_added_products();

CREATE FUNCTION index_changed_product() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM index_products(ARRAY[NEW.id]);
  RETURN NULL;
END $$;
CREATE TRIGGER products_changed AFTER UPDATE OF name, description, deleted_at ON products
  FOR EACH ROW EXECUTE FUNCTION index_changed_product();
`;

const carts = `
CREATE TABLE carts (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id uuid NOT NULL UNIQUE REFERENCES users (id) ON DELETE CASCADE,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);

CREATE TABLE cart_items (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  cart_id integer NOT NULL REFERENCES carts (id) ON DELETE CASCADE,
  product_id integer NOT NULL REFERENCES products (id),
  quantity integer NOT NULL CHECK (quantity BETWEEN 1 AND 999),
  UNIQUE (cart_id, product_id)
);
CREATE INDEX cart_items_product_idx ON cart_items (product_id);
`;

const coupons = `
CREATE TABLE coupons (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  code varchar(32) NOT NULL,
  discount_percent numeric(5,2) NOT NULL CHECK (discount_percent > 0 AND discount_percent <= 100),
  max_uses integer NOT NULL CHECK (max_uses >= 1),
  current_uses integer NOT NULL DEFAULT 0 CHECK (current_uses >= 0),
  expires_at timestamptz(3),
  is_active boolean NOT NULL DEFAULT true,
  is_public boolean NOT NULL DEFAULT true,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX coupons_code_key ON coupons (upper(code));
CREATE INDEX coupons_newest_idx ON coupons (created_at DESC, id DESC);
CREATE INDEX coupons_public_idx ON coupons (created_at DESC, id DESC) WHERE is_active AND is_public;
`;

/** How the shop ships, and what that costs: the methods and costs that the interface description takes for granted. */
const shipping = `
CREATE TABLE shipping_methods (
  code varchar(50) PRIMARY KEY CHECK (code ~ '^[a-z0-9_-]+$'),
  name varchar(100) NOT NULL,
  cost numeric(12,2) NOT NULL CHECK (cost BETWEEN 0 AND 10000),
  days integer NOT NULL CHECK (days BETWEEN 0 AND 365),
  free_from numeric(12,2) CHECK (free_from >= 0),
  position integer NOT NULL
);
INSERT INTO shipping_methods (code, name, cost, days, position)
VALUES ('standard', 'Standard', 5.99, 5, 1), ('express', 'Express', 12.99, 2, 2);
`;

/**
 * An order keeps the name and picture of each line at the time of the order, the code of its coupon, and the furthest
 * step that it reached, since its status may be a word of the shop's own.
 */
const orders = `
CREATE TABLE orders (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users (id),
  status text NOT NULL DEFAULT 'pending' CHECK (char_length(status) BETWEEN 1 AND 50),
  total_price numeric(16,2) NOT NULL CHECK (total_price >= 0),
  discount numeric(16,2) NOT NULL DEFAULT 0 CHECK (discount >= 0),
  coupon_id integer REFERENCES coupons (id) ON DELETE SET NULL,
  shipping_first_name text,
  shipping_last_name text,
  shipping_address text,
  shipping_city text,
  shipping_zip text,
  shipping_country text,
  shipping_phone text,
  shipping_method text,
  shipping_cost numeric(7,2),
  estimated_delivery timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  coupon_code text,
  reached text NOT NULL DEFAULT 'pending'
    CHECK (reached IN ('pending', 'paid', 'processing', 'shipped', 'delivered', 'completed'))
);
CREATE INDEX orders_of_user_idx ON orders (user_id, created_at DESC, id DESC);
CREATE INDEX orders_newest_idx ON orders (created_at DESC, id DESC);
CREATE INDEX orders_by_status_idx ON orders (status, created_at DESC, id DESC);
CREATE INDEX orders_coupon_idx ON orders (coupon_id) WHERE coupon_id IS NOT NULL;
CREATE INDEX orders_total_idx ON orders (total_price, id);
CREATE INDEX orders_unpaid_idx ON orders (user_id) WHERE status = 'pending';
CREATE INDEX orders_recipient_idx ON orders USING gin (name_words(
  coalesce(shipping_first_name, '') || ' ' || coalesce(shipping_last_name, '')));

CREATE TABLE order_items (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  order_id integer NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
  product_id integer NOT NULL REFERENCES products (id),
  quantity integer NOT NULL CHECK (quantity >= 1),
  price numeric(12,2) NOT NULL CHECK (price >= 0),
  product_name text NOT NULL,
  product_image_url text,
  UNIQUE (order_id, product_id)
);
CREATE INDEX order_items_product_idx ON order_items (product_id);

CREATE TABLE idempotency_keys (
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  key text NOT NULL,
  request_hash text NOT NULL,
  response json NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, key)
);
CREATE INDEX idempotency_keys_age_idx ON idempotency_keys (created_at);
`;

const opinions = `
CREATE TABLE testimonials (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id uuid REFERENCES users (id) ON DELETE CASCADE,
  guest_name text,
  guest_role text,
  guest_avatar_url text,
  content text NOT NULL,
  rating integer NOT NULL CHECK (rating BETWEEN 1 AND 5),
  is_featured boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CHECK (user_id IS NOT NULL OR guest_name IS NOT NULL)
);
CREATE INDEX testimonials_newest_idx ON testimonials (created_at DESC, id DESC);
CREATE INDEX testimonials_featured_idx ON testimonials (created_at DESC, id DESC) WHERE is_featured;
CREATE INDEX testimonials_user_idx ON testimonials (user_id);

CREATE TABLE reviews (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  product_id integer NOT NULL REFERENCES products (id),
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  rating integer NOT NULL CHECK (rating BETWEEN 1 AND 5),
  title text,
  content text,
  image_url text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  UNIQUE (product_id, user_id)
);
CREATE INDEX reviews_all_newest_idx ON reviews (created_at DESC, id DESC);
CREATE INDEX reviews_newest_idx ON reviews (product_id, created_at DESC, id DESC);
CREATE INDEX reviews_user_idx ON reviews (user_id);
`;

const uploads = `
CREATE TABLE uploads (
  filename text PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('product', 'avatar', 'general')),
  user_id uuid REFERENCES users (id) ON DELETE SET NULL,
  size integer NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  unused_since timestamptz(3)
);
CREATE INDEX uploads_user_idx ON uploads (user_id);
CREATE INDEX uploads_unused_idx ON uploads (unused_since) WHERE unused_since IS NOT NULL;
`;

/** The columns that show a picture. */
const shown = [
  ['users', 'avatar_url'],
  ['products', 'image_url'],
  ['order_items', 'product_image_url'],
  ['reviews', 'image_url'],
  ['testimonials', 'guest_avatar_url'],
] as const;

const shownPictures = shown.map(
  ([table, column]) => `
CREATE INDEX ${table}_picture_idx ON ${table} ((substring(${column}, '/uploads/[a-z]+/([^/?#]+)')))
  WHERE ${column} LIKE '%/uploads/%';
`,
);

/**
 * A transaction that begins to show a picture locks it until the commit, so that the removal of unused pictures, which
 * locks what it removes, skips it or sees that it is shown. An order locks its products, whose pictures its lines show,
 * and so need not lock the pictures.
 */
const holdPicture = `
CREATE FUNCTION hold_shown_picture() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM uploads
    WHERE filename = substring(to_jsonb(NEW) ->> TG_ARGV[0], '/uploads/[a-z]+/([^/?#]+)') FOR KEY SHARE;
  RETURN NEW;
END $$;
`;
const heldPictures = shown
  .filter(([table]) => table !== 'order_items')
  .map(
    ([table, column]) => `
CREATE TRIGGER ${table}_picture BEFORE INSERT OR UPDATE OF ${column} ON ${table}
  FOR EACH ROW WHEN (NEW.${column} LIKE '%/uploads/%') EXECUTE FUNCTION hold_shown_picture('${column}');
`,
  );

const tables = [products, search, carts, coupons, shipping, orders, opinions, uploads];

/** The shop: its products, carts, coupons, orders, opinions and pictures. */
export const shop = [...tables, ...shownPictures, holdPicture, ...heldPictures].join('');
