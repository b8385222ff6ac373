import type { Client, Scene } from '../client.js';
import type { Person } from '../person.js';

interface Order {
  id: number;
  status: string;
}

/** Buys: looks around, fills a cart, orders, pays, and sometimes changes its mind. */
export class Shopper implements Client {
  readonly weight = 6;
  private readonly open: number[] = [];
  /** What ended sessions of this shopper were known by: somebody may have it still. */
  private readonly left: Record<string, string>[] = [];

  constructor(
    private readonly person: Person,
    private readonly scene: Scene,
  ) {}

  get caller() {
    return this.person.caller;
  }

  async act(): Promise<void> {
    const { random } = this.caller;
    const what = random.weighted([
      [3, () => this.look()],
      [5, () => this.fill()],
      [4, () => this.order()],
      [3, () => this.pay()],
      [1, () => this.cancel()],
      [1, () => this.tidy()],
      [1, () => this.merge()],
      [1, () => this.noteAddress()],
      [1.5, () => this.endSession()],
    ]);
    await what();
  }

  /** Looks as a visitor does, and orders what everybody orders. */
  async rush(which: number): Promise<void> {
    const { productIds } = this.scene;
    const product_id = productIds[which % productIds.length];
    await this.caller.call('GET', `/api/v1/products/${product_id}`, { isAnonymous: true });
    const json = { product_id, quantity: this.caller.random.between(1, 3) };
    await this.person.call('POST', '/api/v1/cart/add', { json });
    await this.order();
  }

  private get product(): number {
    return this.caller.random.pick(this.scene.productIds);
  }

  private async look(): Promise<void> {
    const { random } = this.caller;
    await this.person.call(
      'GET',
      random.pick([
        `/api/v1/products/${this.product}`,
        '/api/v1/products/?limit=20',
        '/api/v1/orders/',
        '/api/v1/cart/',
      ]),
    );
    // And as a visitor, whose answers may come from memory.
    await this.caller.call('GET', `/api/v1/products/${this.product}`, { isAnonymous: true });
  }

  private async fill(): Promise<void> {
    const json = { product_id: this.product, quantity: this.caller.random.between(1, 4) };
    await this.person.call('POST', '/api/v1/cart/add', { json });
  }

  /** Orders what is in the cart. Whoever gets no answer asks again with the same key, as the documents say. */
  private async order(): Promise<void> {
    const { random } = this.caller;
    const shipping = {
      first_name: 'Grace',
      last_name: 'Hopper',
      address: '1 Harbour Street',
      city: 'Arlington',
      zip_code: '22201',
      country: 'US',
      shipping_method: 'standard',
      shipping_cost: random.pick([0, 5.99, 12.99]),
    };
    const coupon_code = random.chance(0.4) ? random.pick(this.scene.couponCodes) : null;
    const headers = { 'idempotency-key': random.uuid() };
    const answer = await this.person.surely('POST', '/api/v1/orders/checkout', {
      json: { shipping, coupon_code },
      headers,
    });
    if (answer?.status !== 201) return;
    this.open.push((answer.body as Order).id);
    // Another one, much later or at once, has the same answer.
    if (random.chance(0.3))
      await this.person.call('POST', '/api/v1/orders/checkout', { json: { shipping, coupon_code }, headers });
    if (random.chance(0.5)) await this.pay();
  }

  private async pay(): Promise<void> {
    const { random } = this.caller;
    const id = this.open.at(-1);
    if (id === undefined) return;
    const headers = { 'idempotency-key': random.uuid() };
    const answer = await this.person.surely('POST', `/api/v1/orders/${id}/payment`, { json: {}, headers });
    const { url } = (answer?.body ?? {}) as { url?: string };
    if (answer?.status !== 200 || url === undefined) return void this.open.pop();
    const choice = random.chance(0.85) ? 'pay' : 'decline';
    const form = { text: `choice=${choice}`, headers: { 'content-type': 'application/x-www-form-urlencoded' } };
    const page = await this.caller.callSurely('POST', new URL(url).pathname, form);
    if (page && page.status < 400 && choice === 'pay') this.open.pop();
    if (random.chance(0.5)) await this.person.call('GET', `/api/v1/orders/${id}`);
  }

  private async cancel(): Promise<void> {
    const id = this.open.pop();
    if (id !== undefined) await this.person.call('POST', `/api/v1/orders/${id}/cancel`);
  }

  private async tidy(): Promise<void> {
    const cart = await this.person.call('GET', '/api/v1/cart/');
    if (!cart || cart.status !== 200) return;
    const [item] = (cart.body as { items: { id: number }[] }).items;
    if (item)
      await this.person.call('PUT', `/api/v1/cart/items/${item.id}`, {
        json: { quantity: this.caller.random.between(1, 3) },
      });
  }

  /** What a browser kept from before the login comes into the cart, once, however often the browser says so. */
  private async merge(): Promise<void> {
    const { random } = this.caller;
    const [first, ...more] = this.scene.productIds.filter(() => random.chance(0.25));
    const lines = [first ?? this.product, ...more].map((product_id) => ({
      product_id,
      quantity: random.between(1, 2),
    }));
    const headers = { 'idempotency-key': random.uuid() };
    const request = { json: { lines }, headers };
    await this.person.surely('POST', '/api/v1/cart/merge', request);
    if (random.chance(0.6)) await this.person.call('POST', '/api/v1/cart/merge', request);
  }

  /** An account has ten addresses at most: somebody who brings a whole book of them is refused the last. */
  private async noteAddress(): Promise<void> {
    const { random } = this.caller;
    for (let more = random.pick([2, 11]); more > 0; more--) {
      const json = {
        first_name: 'Grace',
        last_name: 'Hopper',
        address: `${random.between(1, 999)} Harbour Street`,
        city: 'Arlington',
        zip_code: '22201',
      };
      const answer = await this.person.call('POST', '/api/v1/users/me/addresses', { json });
      if (answer?.status === 201 && random.chance(0.1))
        await this.person.call('DELETE', `/api/v1/users/me/addresses/${(answer.body as { id: string }).id}`);
    }
  }

  /** Ends the session, tries what is left of ended ones on either node, and signs in anew. */
  private async endSession(): Promise<void> {
    const { caller, person } = this;
    const { random } = caller;
    const end = random.weighted([
      [2, () => person.signOut()],
      [1, () => person.signOutEverywhere()],
      [1, () => person.changePassword()],
    ]);
    this.left.push(await end());
    await person.signIn();
    for (const headers of this.left.slice(-3)) {
      const node = random.pick([0, 1] as const);
      await caller.call('GET', '/api/v1/users/me/profile', { headers, node, isAnonymous: true });
    }
  }
}
