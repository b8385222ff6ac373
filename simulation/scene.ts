import type { Client, Scene } from './client.js';
import { Admin } from './clients/admin.js';
import { Erp } from './clients/erp.js';
import { Follower } from './clients/follower.js';
import { Pipeline } from './clients/pipeline.js';
import { Scanner } from './clients/scanner.js';
import { Shopper } from './clients/shopper.js';
import { Triager } from './clients/triager.js';
import { Person } from './person.js';
import { darkReceiver } from './receivers.js';
import { bodyOf, type World } from './world.js';

const shoppers = 6;
const products = 8;
const events = [
  'order.placed',
  'order.paid',
  'order.shipped',
  'order.cancelled',
  'order.refunded',
  'stock.low',
  'stock.out',
];
/** Where webhooks go: no request leaves the process. */
const receiverUrl = (name: string): string => `http://127.0.0.1:9/${name}`;

interface Made {
  id: string;
}

/** Makes the shop and the organization that a run begins with, without faults, and everybody who uses them. */
export async function openScene(world: World): Promise<Client[]> {
  const admin = new Person(world.caller('admin'), 'simulated-admin');
  await admin.signIn();
  const triager = new Person(world.caller('triager-1'));
  const triagerId = await triager.register();
  const scene: Scene = { admin, triager, profileId: '', assetIds: [], productIds: [], couponCodes: [] };
  await stockShop(world, scene);
  const clients: Client[] = [new Admin(scene), new Erp(await erpOf(world, scene))];
  for (let index = 1; index <= shoppers; index++) {
    const person = new Person(world.caller(`shopper-${index}`));
    await person.register();
    clients.push(new Shopper(person, scene));
  }
  return [...clients, ...(await openOrganization(world, scene, triagerId))];
}

async function stockShop(world: World, { admin, productIds, couponCodes }: Scene): Promise<void> {
  const random = world.random.split('scene');
  for (let index = 1; index <= products; index++) {
    const json = { name: `Product ${index}`, price: random.between(100, 9_999) / 100, stock: random.between(0, 25) };
    productIds.push(bodyOf<{ id: number }>(await admin.call('POST', '/api/v1/admin/products', { json }), 201).id);
  }
  for (const code of ['SPRING', 'LAST1', 'TENOFF']) {
    const max_uses = code === 'LAST1' ? 1 : random.between(2, 40);
    const json = { code, discount_percent: random.between(1, 50), max_uses };
    bodyOf(await admin.call('POST', '/api/v1/admin/coupons', { json }), 201);
    couponCodes.push(code);
  }
}

/** The ERP has a key, and a receiver of webhooks. */
async function erpOf(world: World, { admin }: Scene) {
  const erp = world.caller('erp-1');
  const key = { name: 'ERP', scopes: ['orders:read', 'customers:read', 'catalog:read'] };
  const made = bodyOf<{ key: string }>(await admin.call('POST', '/api/v1/admin/keys', { json: key }), 201);
  erp.credentials = { authorization: `Bearer ${made.key}` };
  for (const receiver of ['erp', 'warehouse', darkReceiver]) {
    const json = {
      url: receiverUrl(receiver),
      events: receiver === 'erp' ? events : ['order.paid', 'order.cancelled'],
    };
    bodyOf(await admin.call('POST', '/api/v1/admin/webhooks', { json }), 201);
  }
  return erp;
}

async function openOrganization(world: World, scene: Scene, triagerId: string): Promise<Client[]> {
  const { triager } = scene;
  const made = bodyOf<Made>(await triager.call('POST', '/api/v1/organizations', { json: { name: 'Simulated' } }), 201);
  const headers = { 'x-organization-id': made.id };
  const make = async <T>(path: string, json: object): Promise<T> =>
    bodyOf<T>(await triager.call('POST', `/api/v1/${path}`, { json, headers }), 201);
  scene.profileId = (await make<Made>('profiles', { name: 'Shop API', scannerKind: 'FRONTEND_DAST', type: 'REST' })).id;
  scene.assetIds.push((await make<Made>('assets', { name: 'shop.example.com', type: 'DNS', class: 'HOST' })).id);
  const { key } = await make<{ key: string }>(`organizations/${made.id}/api-keys`, {
    name: 'Scanners',
    role: 'member',
  });
  for (const type of ['NEW_ISSUE', 'SCAN_COMPLETED']) {
    const parameters = { url: receiverUrl(`soc-${type.toLowerCase()}`) };
    const actions = [{ type: 'EXPORT', integrationKind: 'WEBHOOK', parameters }];
    await make('workflows', { name: `On ${type}`, trigger: { type }, actions });
  }
  const told = { type: 'NOTIFY', integrationKind: 'EMAIL', parameters: { memberIds: [triagerId] }, digest: 'hourly' };
  await make('workflows', { name: 'What is new', trigger: { type: 'NEW_ISSUE' }, actions: [told] });
  const keyed = (name: string) => {
    const caller = world.caller(name);
    caller.credentials = { 'x-api-key': key };
    return caller;
  };
  return [
    new Triager(scene, triagerId, headers),
    new Scanner(keyed('scanner-1'), scene),
    new Scanner(keyed('scanner-2'), scene),
    new Pipeline(keyed('pipeline-1')),
    new Pipeline(keyed('pipeline-2')),
    new Follower(keyed('follower-1')),
  ];
}
