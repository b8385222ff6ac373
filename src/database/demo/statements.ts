/** The demo's names that are already in use: $1 usernames, $2 e-mail addresses, $3 coupon codes. */
export const selectTakenNames = `
  SELECT lower(username) AS name FROM users WHERE lower(username) = ANY ($1::text[])
  UNION ALL
  SELECT lower(email) FROM users WHERE lower(email) = ANY ($2::text[])
  UNION ALL
  SELECT upper(code) FROM coupons WHERE upper(code) = ANY ($3::text[])`;

export const insertUsers = `
  INSERT INTO users (id, username, email, password_hash, first_name, last_name, avatar_url, bio, account_credit,
                     referral_count, created_at)
  SELECT id, username, email, password_hash, first_name, last_name, avatar_url, bio, account_credit_cents / 100,
         referral_count, created_at
  FROM json_to_recordset($1::json) AS person (
    id uuid, username text, email text, password_hash text, first_name text, last_name text, avatar_url text, bio text,
    account_credit_cents numeric, referral_count integer, created_at timestamptz)`;

export const insertCarts = `
  INSERT INTO carts (user_id, created_at, updated_at)
  SELECT id, created_at, created_at
  FROM json_to_recordset($1::json) AS person (id uuid, created_at timestamptz)`;

export const insertProducts = `
  INSERT INTO products (name, description, price, stock, color, material, size, image_url, created_at)
  SELECT name, description, price_cents / 100, stock, color, material, size, image_url, created_at
  FROM json_to_recordset($1::json) AS product (
    place integer, name text, description text, price_cents numeric, stock integer, color text, material text, size text,
    image_url text, created_at timestamptz)
  ORDER BY place
  RETURNING id, name`;

export const insertCartItems = `
  INSERT INTO cart_items (cart_id, product_id, quantity)
  SELECT carts.id, item.product_id, item.quantity
  FROM json_to_recordset($1::json) AS item (user_id uuid, product_id integer, quantity integer)
  JOIN carts ON carts.user_id = item.user_id`;

export const insertCoupons = `
  INSERT INTO coupons (code, discount_percent, max_uses, current_uses, expires_at, is_active, is_public, created_at)
  SELECT code, discount_percent, max_uses, current_uses, expires_at, is_active, is_public, created_at
  FROM json_to_recordset($1::json) AS coupon (
    code text, discount_percent numeric, max_uses integer, current_uses integer, expires_at timestamptz,
    is_active boolean, is_public boolean, created_at timestamptz)
  ORDER BY created_at`;

export const insertOrders = `
  INSERT INTO orders (user_id, status, total_price, discount, coupon_id, coupon_code, shipping_first_name, shipping_last_name,
                      shipping_address, shipping_city, shipping_zip, shipping_country, shipping_phone, shipping_method,
                      shipping_cost, estimated_delivery, created_at)
  SELECT placed.user_id, placed.status, placed.total_cents / 100, placed.discount_cents / 100, coupons.id, coupons.code,
         placed.shipping_first_name, placed.shipping_last_name, placed.shipping_address, placed.shipping_city,
         placed.shipping_zip, placed.shipping_country, placed.shipping_phone, placed.shipping_method,
         placed.shipping_cost_cents / 100, placed.estimated_delivery, placed.created_at
  FROM json_to_recordset($1::json) AS placed (
    user_id uuid, status text, total_cents numeric, discount_cents numeric, coupon_code text, shipping_first_name text,
    shipping_last_name text, shipping_address text, shipping_city text, shipping_zip text, shipping_country text,
    shipping_phone text, shipping_method text, shipping_cost_cents numeric, estimated_delivery timestamptz,
    created_at timestamptz)
  LEFT JOIN coupons ON upper(coupons.code) = placed.coupon_code
  ORDER BY placed.created_at`;

/** Finds each line's order by its buyer and its moment, which no two of the demo's orders share. */
export const insertOrderItems = `
  INSERT INTO order_items (order_id, product_id, quantity, price, product_name, product_image_url)
  SELECT orders.id, line.product_id, line.quantity, line.price_cents / 100, products.name, products.image_url
  FROM json_to_recordset($1::json) AS line (
    user_id uuid, ordered_at timestamptz, product_id integer, quantity integer, price_cents numeric)
  JOIN orders ON orders.user_id = line.user_id AND orders.created_at = line.ordered_at
  JOIN products ON products.id = line.product_id
  ORDER BY orders.id`;

export const insertReviews = `
  INSERT INTO reviews (product_id, user_id, rating, title, content, created_at)
  SELECT product_id, user_id, rating, title, content, created_at
  FROM json_to_recordset($1::json) AS review (
    product_id integer, user_id uuid, rating integer, title text, content text, created_at timestamptz)
  ORDER BY created_at`;

export const insertTestimonials = `
  INSERT INTO testimonials (user_id, guest_name, guest_role, guest_avatar_url, content, rating, is_featured, created_at)
  SELECT user_id, guest_name, guest_role, guest_avatar_url, content, rating, is_featured, created_at
  FROM json_to_recordset($1::json) AS testimonial (
    user_id uuid, guest_name text, guest_role text, guest_avatar_url text, content text, rating integer,
    is_featured boolean, created_at timestamptz)
  ORDER BY created_at`;
