import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What an order remembers: name and picture of each line as they were when it was ordered, the code of its coupon, how
 * far it ever came, and statuses in words of the shop's own. Nodes of the version before know none of these columns:
 * what they write is filled in by the defaults, or shown from the product and the coupon as they are.
 */
export class OrderMemory1700000009000 implements MigrationInterface {
  name = 'OrderMemory1700000009000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE order_items ADD COLUMN product_name text, ADD COLUMN product_image_url text;
      ALTER TABLE orders
        ADD COLUMN coupon_code text,
        ADD COLUMN reached text NOT NULL DEFAULT 'pending',
        ADD CONSTRAINT orders_reached_check
          CHECK (reached IN ('pending', 'paid', 'processing', 'shipped', 'delivered', 'completed')),
        DROP CONSTRAINT orders_status_check,
        ADD CONSTRAINT orders_status_check CHECK (char_length(status) BETWEEN 1 AND 50);
      UPDATE order_items
         SET product_name = products.name, product_image_url = products.image_url
        FROM products
       WHERE products.id = order_items.product_id;
      UPDATE orders SET coupon_code = coupons.code FROM coupons WHERE coupons.id = orders.coupon_id`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      UPDATE orders SET status = reached
       WHERE status NOT IN ('pending', 'paid', 'processing', 'shipped', 'delivered', 'completed', 'cancelled', 'refunded');
      ALTER TABLE orders
        DROP COLUMN reached,
        DROP COLUMN coupon_code,
        DROP CONSTRAINT orders_status_check,
        ADD CONSTRAINT orders_status_check CHECK (status IN
          ('pending', 'paid', 'processing', 'shipped', 'delivered', 'completed', 'cancelled', 'refunded'));
      ALTER TABLE order_items DROP COLUMN product_name, DROP COLUMN product_image_url`);
  }
}
