import type { Client, Scene } from './client.js';
import { Shopper } from './clients/shopper.js';
import { Person } from './person.js';
import { bodyOf, type World } from './world.js';

const shoppers = 6;
const products = 8;

/** Makes the shop and the organization that a run begins with, without faults, and everybody who uses them. */
export async function openScene(world: World): Promise<Client[]> {
  const admin = new Person(world.caller('admin'), 'simulated-admin');
  await admin.signIn();
  const random = world.random.split('scene');
  const scene: Scene = {
    world,
    admin,
    random,
    organizationId: '',
    profileId: '',
    assetIds: [],
    productIds: [],
    couponCodes: [],
  };
  for (let index = 1; index <= products; index++) {
    const json = { name: `Product ${index}`, price: random.between(100, 9_999) / 100, stock: random.between(0, 25) };
    scene.productIds.push(bodyOf<{ id: number }>(await admin.call('POST', '/api/v1/admin/products', { json }), 201).id);
  }
  for (const code of ['SPRING', 'LAST1', 'TENOFF']) {
    const json = { code, discount_percent: random.between(1, 50), max_uses: code === 'LAST1' ? 1 : random.between(2, 40) };
    bodyOf(await admin.call('POST', '/api/v1/admin/coupons', { json }), 201);
    scene.couponCodes.push(code);
  }
  const clients: Client[] = [];
  for (let index = 1; index <= shoppers; index++) {
    const person = new Person(world.caller(`shopper-${index}`));
    await person.register();
    clients.push(new Shopper(person, scene));
  }
  return clients;
}
