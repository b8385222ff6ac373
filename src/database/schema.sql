CREATE TABLE cart_items (
  id integer NOT NULL GENERATED ALWAYS AS IDENTITY,
  cart_id integer NOT NULL,
  product_id integer NOT NULL,
  quantity integer NOT NULL,
  CONSTRAINT cart_items_cart_id_fkey FOREIGN KEY (cart_id) REFERENCES carts(id) ON DELETE CASCADE,
  CONSTRAINT cart_items_cart_id_product_id_key UNIQUE (cart_id, product_id),
  CONSTRAINT cart_items_pkey PRIMARY KEY (id),
  CONSTRAINT cart_items_product_id_fkey FOREIGN KEY (product_id) REFERENCES products(id),
  CONSTRAINT cart_items_quantity_check CHECK (((quantity >= 1) AND (quantity <= 999)))
);

CREATE TABLE carts (
  id integer NOT NULL GENERATED ALWAYS AS IDENTITY,
  user_id uuid NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  updated_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT carts_pkey PRIMARY KEY (id),
  CONSTRAINT carts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  CONSTRAINT carts_user_id_key UNIQUE (user_id)
);

CREATE TABLE coupons (
  id integer NOT NULL GENERATED ALWAYS AS IDENTITY,
  code character varying(32) NOT NULL,
  discount_percent numeric(5,2) NOT NULL,
  max_uses integer NOT NULL,
  current_uses integer NOT NULL DEFAULT 0,
  expires_at timestamp(3) with time zone,
  is_active boolean NOT NULL DEFAULT true,
  is_public boolean NOT NULL DEFAULT true,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT coupons_current_uses_check CHECK ((current_uses >= 0)),
  CONSTRAINT coupons_discount_percent_check CHECK (((discount_percent > (0)::numeric) AND (discount_percent <= (100)::numeric))),
  CONSTRAINT coupons_max_uses_check CHECK ((max_uses >= 1)),
  CONSTRAINT coupons_pkey PRIMARY KEY (id)
);

CREATE TABLE guess_counters (
  key text NOT NULL,
  failures integer NOT NULL,
  blocked_until timestamp(3) with time zone,
  updated_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT guess_counters_pkey PRIMARY KEY (key)
);

CREATE TABLE idempotency_keys (
  user_id uuid NOT NULL,
  key text NOT NULL,
  request_hash text NOT NULL,
  response jsonb NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT idempotency_keys_pkey PRIMARY KEY (user_id, key),
  CONSTRAINT idempotency_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE TABLE login_challenges (
  token_hash text NOT NULL,
  user_id uuid NOT NULL,
  token_version integer NOT NULL,
  wrong_codes integer NOT NULL DEFAULT 0,
  expires_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT login_challenges_pkey PRIMARY KEY (token_hash),
  CONSTRAINT login_challenges_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE TABLE order_items (
  id integer NOT NULL GENERATED ALWAYS AS IDENTITY,
  order_id integer NOT NULL,
  product_id integer NOT NULL,
  quantity integer NOT NULL,
  price numeric(12,2) NOT NULL,
  CONSTRAINT order_items_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id) ON DELETE CASCADE,
  CONSTRAINT order_items_order_id_product_id_key UNIQUE (order_id, product_id),
  CONSTRAINT order_items_pkey PRIMARY KEY (id),
  CONSTRAINT order_items_price_check CHECK ((price >= (0)::numeric)),
  CONSTRAINT order_items_product_id_fkey FOREIGN KEY (product_id) REFERENCES products(id),
  CONSTRAINT order_items_quantity_check CHECK ((quantity >= 1))
);

CREATE TABLE orders (
  id integer NOT NULL GENERATED ALWAYS AS IDENTITY,
  user_id uuid NOT NULL,
  status text NOT NULL DEFAULT 'pending'::text,
  total_price numeric(16,2) NOT NULL,
  discount numeric(16,2) NOT NULL DEFAULT 0,
  coupon_id integer,
  shipping_first_name text,
  shipping_last_name text,
  shipping_address text,
  shipping_city text,
  shipping_zip text,
  shipping_country text,
  shipping_phone text,
  shipping_method text,
  shipping_cost numeric(7,2),
  estimated_delivery timestamp(3) with time zone,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT orders_coupon_id_fkey FOREIGN KEY (coupon_id) REFERENCES coupons(id) ON DELETE SET NULL,
  CONSTRAINT orders_discount_check CHECK ((discount >= (0)::numeric)),
  CONSTRAINT orders_pkey PRIMARY KEY (id),
  CONSTRAINT orders_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'paid'::text, 'processing'::text, 'shipped'::text, 'delivered'::text, 'completed'::text, 'cancelled'::text, 'refunded'::text]))),
  CONSTRAINT orders_total_price_check CHECK ((total_price >= (0)::numeric)),
  CONSTRAINT orders_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

CREATE TABLE products (
  id integer NOT NULL GENERATED ALWAYS AS IDENTITY,
  name character varying(200) NOT NULL,
  description text,
  price numeric(12,2) NOT NULL,
  stock integer NOT NULL,
  color text,
  material text,
  size text,
  image_url text,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  deleted_at timestamp(3) with time zone,
  CONSTRAINT products_pkey PRIMARY KEY (id),
  CONSTRAINT products_price_check CHECK ((price >= (0)::numeric)),
  CONSTRAINT products_stock_check CHECK ((stock >= 0))
);

CREATE TABLE recovery_codes (
  user_id uuid NOT NULL,
  code_hash text NOT NULL,
  used_at timestamp(3) with time zone,
  CONSTRAINT recovery_codes_pkey PRIMARY KEY (user_id, code_hash),
  CONSTRAINT recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE TABLE reviews (
  id integer NOT NULL GENERATED ALWAYS AS IDENTITY,
  product_id integer NOT NULL,
  user_id uuid NOT NULL,
  rating integer NOT NULL,
  title text,
  content text,
  image_url text,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT reviews_pkey PRIMARY KEY (id),
  CONSTRAINT reviews_product_id_fkey FOREIGN KEY (product_id) REFERENCES products(id),
  CONSTRAINT reviews_product_id_user_id_key UNIQUE (product_id, user_id),
  CONSTRAINT reviews_rating_check CHECK (((rating >= 1) AND (rating <= 5))),
  CONSTRAINT reviews_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE TABLE service_state (
  key text NOT NULL,
  value jsonb NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT service_state_pkey PRIMARY KEY (key)
);

CREATE TABLE testimonials (
  id integer NOT NULL GENERATED ALWAYS AS IDENTITY,
  user_id uuid,
  guest_name text,
  guest_role text,
  guest_avatar_url text,
  content text NOT NULL,
  rating integer NOT NULL,
  is_featured boolean NOT NULL DEFAULT false,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT testimonials_check CHECK (((user_id IS NOT NULL) OR (guest_name IS NOT NULL))),
  CONSTRAINT testimonials_pkey PRIMARY KEY (id),
  CONSTRAINT testimonials_rating_check CHECK (((rating >= 1) AND (rating <= 5))),
  CONSTRAINT testimonials_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE TABLE uploads (
  filename text NOT NULL,
  kind text NOT NULL,
  user_id uuid,
  size integer NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT uploads_kind_check CHECK ((kind = ANY (ARRAY['product'::text, 'avatar'::text, 'general'::text]))),
  CONSTRAINT uploads_pkey PRIMARY KEY (filename),
  CONSTRAINT uploads_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE SET NULL
);

CREATE TABLE users (
  id uuid NOT NULL,
  username character varying(50),
  email character varying(254),
  password_hash text NOT NULL,
  first_name character varying(100),
  last_name character varying(100),
  avatar_url text,
  bio character varying(2000),
  role text NOT NULL DEFAULT 'user'::text,
  account_credit numeric(12,2) NOT NULL DEFAULT 0,
  referral_count integer NOT NULL DEFAULT 0,
  can_be_deleted boolean NOT NULL DEFAULT true,
  token_version integer NOT NULL DEFAULT 0,
  totp_enabled boolean NOT NULL DEFAULT false,
  totp_secret text,
  totp_last_step bigint NOT NULL DEFAULT 0,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  deleted_at timestamp(3) with time zone,
  CONSTRAINT users_check CHECK (((deleted_at IS NOT NULL) OR ((username IS NOT NULL) AND (email IS NOT NULL)))),
  CONSTRAINT users_check1 CHECK (((NOT totp_enabled) OR (totp_secret IS NOT NULL))),
  CONSTRAINT users_pkey PRIMARY KEY (id),
  CONSTRAINT users_role_check CHECK ((role = ANY (ARRAY['user'::text, 'admin'::text])))
);

CREATE INDEX cart_items_product_idx ON cart_items USING btree (product_id);
CREATE UNIQUE INDEX coupons_code_key ON coupons USING btree (upper((code)::text));
CREATE INDEX coupons_newest_idx ON coupons USING btree (created_at DESC, id DESC);
CREATE INDEX guess_counters_updated_idx ON guess_counters USING btree (updated_at);
CREATE INDEX idempotency_keys_age_idx ON idempotency_keys USING btree (created_at);
CREATE INDEX login_challenges_expiry_idx ON login_challenges USING btree (expires_at);
CREATE INDEX login_challenges_user_idx ON login_challenges USING btree (user_id);
CREATE INDEX order_items_product_idx ON order_items USING btree (product_id);
CREATE INDEX orders_by_status_idx ON orders USING btree (status, created_at DESC, id DESC);
CREATE INDEX orders_coupon_idx ON orders USING btree (coupon_id) WHERE (coupon_id IS NOT NULL);
CREATE INDEX orders_newest_idx ON orders USING btree (created_at DESC, id DESC);
CREATE INDEX orders_of_user_idx ON orders USING btree (user_id, created_at DESC, id DESC);
CREATE INDEX products_color_idx ON products USING btree (lower(color), id) WHERE (deleted_at IS NULL);
CREATE INDEX products_listed_idx ON products USING btree (id) WHERE (deleted_at IS NULL);
CREATE INDEX products_low_stock_idx ON products USING btree (stock) WHERE (deleted_at IS NULL);
CREATE INDEX products_text_idx ON products USING gin (name gin_trgm_ops, description gin_trgm_ops) WHERE (deleted_at IS NULL);
CREATE INDEX reviews_newest_idx ON reviews USING btree (product_id, created_at DESC, id DESC);
CREATE INDEX reviews_user_idx ON reviews USING btree (user_id);
CREATE INDEX testimonials_featured_idx ON testimonials USING btree (created_at DESC, id DESC) WHERE is_featured;
CREATE INDEX testimonials_newest_idx ON testimonials USING btree (created_at DESC, id DESC);
CREATE INDEX testimonials_user_idx ON testimonials USING btree (user_id);
CREATE INDEX uploads_user_idx ON uploads USING btree (user_id);
CREATE INDEX users_admins_idx ON users USING btree (id) WHERE ((role = 'admin'::text) AND (deleted_at IS NULL));
CREATE UNIQUE INDEX users_email_key ON users USING btree (lower((email)::text));
CREATE INDEX users_newest_idx ON users USING btree (created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX users_username_key ON users USING btree (lower((username)::text));
