import type { Client, Scene } from '../client.js';
import type { Caller } from '../caller.js';

interface Order {
  id: number;
  status: string;
  total_price: number;
  items: { id: number; quantity: number }[];
}

/** Runs the shop: brings goods in, changes prices, ships, pays back, and makes coupons. */
export class Admin implements Client {
  readonly weight = 10;
  private coupons = 0;

  constructor(private readonly scene: Scene) {}

  get caller(): Caller {
    return this.scene.admin.caller;
  }

  async act(): Promise<void> {
    const what = this.caller.random.weighted([
      [3, () => this.restock()],
      [3, () => this.reprice()],
      [4, () => this.ship()],
      [6, () => this.refund()],
      [1, () => this.makeCoupon()],
      [1, () => this.look()],
    ]);
    await what();
  }

  /** Counts the few pieces that are there of what everybody wants. */
  async rush(which: number): Promise<void> {
    const { productIds } = this.scene;
    const few = this.caller.random.between(1, 6);
    await this.restock(productIds[which % productIds.length], () => few);
  }

  /** By If-Match, so that no sale in between is undone. */
  private async restock(
    id = this.caller.random.pick(this.scene.productIds),
    counted = (stock: number) => stock + this.caller.random.between(1, 12),
  ): Promise<void> {
    const { admin } = this.scene;
    const path = `/api/v1/admin/products/${id}`;
    const product = await admin.call('GET', path);
    const etag = product?.headers['etag'];
    if (product?.status !== 200 || etag === undefined) return;
    const { stock } = product.body as { stock: number };
    const json = { stock: counted(stock) };
    await admin.call('PUT', path, { json, headers: { 'if-match': etag } });
  }

  private async reprice(): Promise<void> {
    const path = `/api/v1/admin/products/${this.caller.random.pick(this.scene.productIds)}`;
    await this.scene.admin.call('PUT', path, { json: { price: this.caller.random.between(100, 9_999) / 100 } });
  }

  private async ship(): Promise<void> {
    const { admin } = this.scene;
    const list = await admin.call('GET', '/api/v1/admin/orders?queue=to_ship&limit=5');
    if (list?.status !== 200) return;
    for (const { id } of list.body as Order[]) {
      const status = this.caller.random.pick(['shipped', 'shipped', 'processing']);
      await admin.call('PUT', `/api/v1/admin/orders/${id}/status?new_status=${status}&confirm=false`);
    }
  }

  /** Pays back a piece, an amount or all; at times more than there is, and at times the same request comes twice. */
  private async refund(): Promise<void> {
    const { admin } = this.scene;
    const { random } = this.caller;
    const list = await admin.call('GET', '/api/v1/admin/orders?status=paid,shipped&limit=10');
    const orders = list?.status === 200 ? (list.body as Order[]) : [];
    if (orders.length === 0) return;
    const order = random.pick(orders);
    const [line] = order.items;
    const all = Math.round(order.total_price * 100);
    const json =
      random.chance(0.4) && line
        ? { lines: [{ item_id: line.id, quantity: 1 }], reason: 'Came back' }
        : { amount: random.pick([random.between(100, 2_000), all, all + random.between(1, 500)]) / 100 };
    const request = { json, headers: { 'idempotency-key': random.uuid() } };
    const path = `/api/v1/admin/orders/${order.id}/refunds`;
    await admin.surely('POST', path, request);
    if (random.chance(0.5)) await admin.surely('POST', path, request);
  }

  private async makeCoupon(): Promise<void> {
    const { random } = this.caller;
    const code = `SALE${++this.coupons}`;
    const expires_at = new Date(Date.now() + random.between(1, 12) * 3_600_000).toISOString();
    const json = { code, discount_percent: random.between(1, 60), max_uses: random.between(1, 5), expires_at };
    const answer = await this.scene.admin.call('POST', '/api/v1/admin/coupons', { json });
    if (answer?.status === 201) this.scene.couponCodes.push(code);
  }

  private async look(): Promise<void> {
    const paths = ['/api/v1/admin/orders/queues', '/api/v1/admin/coupons', '/api/v1/admin/products?limit=20'];
    await this.scene.admin.call('GET', this.caller.random.pick(paths));
  }
}
