import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Database } from '../database/database.js';
import { discountOf, totalOf } from '../store/orders/order-total.statements.js';
import { ServiceStateEntity } from './service-state.entity.js';

/** Any number that belongs only to this purpose. */
const loadLock = 5_284_113_003;

/** An API key as it is stored. */
export interface FirstKey {
  id: string;
  name: string;
  prefix: string;
  hash: string;
}

/** Deletes the mark that the organization is closed: whoever deletes it opens the organization. */
const openOrganization = `
  WITH entry AS (
    DELETE FROM service_state WHERE key = 'demo_entry' RETURNING (value #>> '{}')::uuid AS organization_id
  ), organization AS (
    SELECT id FROM organizations WHERE id = (SELECT organization_id FROM entry)
  ), joined AS (
    INSERT INTO organization_members (organization_id, user_id, role)
    SELECT organization.id, users.id, 'admin' FROM organization, users WHERE users.role = 'admin' AND deleted_at IS NULL
    ON CONFLICT DO NOTHING
  )
  INSERT INTO api_keys (id, organization_id, name, role, prefix, key_hash)
  SELECT $1, organization.id, $2, 'admin', $3, $4 FROM organization`;

const takenNames = `
  SELECT lower(username) AS name FROM users WHERE lower(username) = ANY ($1::text[])
  UNION ALL
  SELECT lower(email) FROM users WHERE lower(email) = ANY ($2::text[])
  UNION ALL
  SELECT upper(code) FROM coupons WHERE upper(code) = ANY ($3::text[])`;

const priceOrders = `
  UPDATE orders
     SET discount = priced.discount, total_price = ${totalOf('priced.goods', 'priced.discount', 'shipping_cost')}
    FROM (SELECT order_id, goods, ${discountOf('goods', 'discount_percent')} AS discount
            FROM (SELECT order_id, sum(price * quantity) AS goods FROM order_items GROUP BY order_id) AS line
            JOIN orders ON orders.id = order_id
            LEFT JOIN coupons ON coupons.id = coupon_id
           WHERE order_id = ANY ($1::integer[])) AS priced
   WHERE orders.id = priced.order_id`;

/** SQL of an id that is the same in every database, as `demoId` makes them. */
const idOf = (name: string, of = 'id'): string =>
  `overlay(overlay(md5('demo ${name} ' || ${of}) placing '4' from 13) placing '8' from 17)::uuid`;

/**
 * The money of orders $1 in currency $2: what is beyond pending was paid on the demo's page, what was refunded went back, and of
 * some delivered orders a part. One pending order in three had a payment that failed.
 */
const payOrders = `
  WITH paid AS MATERIALIZED (
    SELECT id, total_price, least(created_at + interval '4 minutes', now()) AS at,
           CASE WHEN status = 'refunded' THEN total_price
                WHEN status IN ('delivered', 'completed') AND id % 12 = 0 THEN round(total_price * 0.2, 2)
                ELSE 0 END AS refunded
      FROM orders
     WHERE id = ANY ($1::integer[]) AND status NOT IN ('pending', 'cancelled') AND total_price > 0),
  payment AS (
    INSERT INTO payments (id, order_id, provider, reference, amount, currency, created_at)
    SELECT ${idOf('payment')}, id, 'demo', 'demo_order_' || id, total_price, $2, at FROM paid
    RETURNING id, order_id),
  refund AS (
    INSERT INTO refunds (id, order_id, payment_id, amount, reason, restock, status, reference, created_at)
    SELECT ${idOf('refund', 'paid.id')}, paid.id, payment.id, refunded,
           CASE WHEN refunded = total_price THEN 'Sent back' ELSE 'Arrived with a scratch' END, false, 'done',
           'demo_refund_' || paid.id, least(at + interval '2 days', now())
      FROM paid JOIN payment ON payment.order_id = paid.id
     WHERE refunded > 0),
  failed AS MATERIALIZED (
    SELECT id, total_price, least(created_at + interval '4 minutes', now()) AS at
      FROM orders
     WHERE id = ANY ($1::integer[]) AND status = 'pending' AND total_price > 0 AND id % 3 = 0),
  session AS (
    INSERT INTO payment_sessions (id, order_id, provider, reference, amount, currency, status, created_at, expires_at)
    SELECT ${idOf('session')}, id, 'demo', 'demo_failed_' || id, total_price, $2, 'failed', at, at + interval '1 day' FROM failed)
  UPDATE orders
     SET paid_total = coalesce(paid.total_price, 0), refunded_total = coalesce(paid.refunded, 0),
         payment_problem = CASE WHEN paid.id IS NULL THEN 'payment_failed' END
    FROM paid FULL JOIN failed ON failed.id = paid.id
   WHERE orders.id = coalesce(paid.id, failed.id)`;

/** The database's facts about the demo data as a whole. */
@Injectable()
export class DemoDataRepository {
  constructor(
    @InjectRepository(ServiceStateEntity) private readonly state: Repository<ServiceStateEntity>,
    private readonly database: Database,
  ) {}

  /** Blocks other nodes that would load the demo data, until the unit of work ends. */
  async lock(): Promise<void> {
    await this.database.execute('SELECT pg_advisory_xact_lock($1)', [loadLock]);
  }

  /** Whether the demo data were loaded here. */
  isLoaded(): Promise<boolean> {
    return this.state.existsBy({ key: 'demo_data' });
  }

  /** Whether the database holds products, customers or organizations. */
  async isInUse(): Promise<boolean> {
    const { inUse } = await this.database.one<{ inUse: boolean }>(
      `SELECT EXISTS (SELECT FROM products) OR EXISTS (SELECT FROM users WHERE role <> 'admin')
              OR EXISTS (SELECT FROM organizations) AS "inUse"`,
    );
    return inUse;
  }

  /** The taken ones of the usernames, e-mail addresses and coupon codes. */
  async takenNames(usernames: string[], emails: string[], couponCodes: string[]): Promise<string[]> {
    const rows = await this.database.rows<{ name: string }>(takenNames, [usernames, emails, couponCodes]);
    return rows.map(({ name }) => name);
  }

  /** Writes the totals of orders whose lines are there. */
  async priceOrders(ids: number[]): Promise<void> {
    await this.database.execute(priceOrders, [ids]);
  }

  /** Writes the payments and refunds of orders that have their totals. */
  async payOrders(ids: number[], currency: string): Promise<void> {
    await this.database.execute(payOrders, [ids, currency]);
  }

  /** Records that the demo data are loaded, and that their organization is still closed to the admins. */
  async markLoaded(organizationId: string): Promise<void> {
    await this.state.insert([
      { key: 'demo_data', value: true },
      { key: 'demo_entry', value: organizationId },
    ]);
  }

  /** Adds the admins and this key to the demo's organization, once. Returns whether that was now. */
  async openOrganization({ id, name, prefix, hash }: FirstKey): Promise<boolean> {
    return (await this.database.execute(openOrganization, [id, name, prefix, hash])) > 0;
  }

  /** Gathers statistics now, not when autovacuum comes by: without them the first plans read whole tables. */
  async analyze(): Promise<void> {
    await this.database.execute('ANALYZE');
  }

  /**
   * Empties every table but the audit log, which nothing empties (about deleted resources it only keeps ids), and the
   * settings of the shop with its shipping methods, which come with the schema and not with the demo.
   */
  async truncate(): Promise<void> {
    const { names } = await this.database.one<{ names: string }>(
      `SELECT string_agg(quote_ident(relname), ', ') AS names FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
          AND relname NOT IN ('migrations', 'audit_entries', 'shop_settings', 'shipping_methods')`,
    );
    await this.database.execute(`TRUNCATE ${names} RESTART IDENTITY`);
  }
}
