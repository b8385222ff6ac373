/**
 * The demo rows that the examples of the interface description name, each with a substitute if there is no demo.
 * `/docs` fills in the current ids, so that an example works as it stands.
 */
const standIns = {
  product: 1,
  productSlug: 'linen-shirt',
  reviewableProduct: 2,
  order: 1,
  pendingOrder: 2,
  unshippedOrder: 3,
  orderItem: 1,
  shippedOrder: 4,
  cartLine: 1,
  coupon: 1,
  address: '0199a001-0000-7000-8000-000000000013',
  testimonial: 1,
  review: 1,
  shopper: '6f1c1f0e-58d1-4c0b-9b1e-0d5a4c3b2a10',
  otherUser: '6f1c1f0e-58d1-4c0b-9b1e-0d5a4c3b2a11',
  organization: '0199a001-0000-7000-8000-000000000001',
  member: '6f1c1f0e-58d1-4c0b-9b1e-0d5a4c3b2a12',
  apiKey: '0199a001-0000-7000-8000-000000000002',
  profile: '0199a001-0000-7000-8000-000000000003',
  unusedProfile: '0199a001-0000-7000-8000-000000000004',
  tag: '0199a001-0000-7000-8000-000000000005',
  view: '0199a001-0000-7000-8000-000000000015',
  location: '0199a001-0000-7000-8000-000000000006',
  integration: '0199a001-0000-7000-8000-000000000007',
  asset: '0199a001-0000-7000-8000-000000000008',
  unusedAsset: '0199a001-0000-7000-8000-000000000009',
  scan: '0199a001-0000-7000-8000-00000000000a',
  runningScan: '0199a001-0000-7000-8000-00000000000b',
  issue: '0199a001-0000-7000-8000-00000000000c',
  event: '0199a001-0000-7000-8000-00000000000d',
  workflow: '0199a001-0000-7000-8000-00000000000e',
  action: '0199a001-0000-7000-8000-000000000010',
  actionWorkflow: '0199a001-0000-7000-8000-00000000000e',
  invitation: '0199a001-0000-7000-8000-000000000011',
  receivedInvitation: '0199a001-0000-7000-8000-000000000012',
  delivery: '0199a001-0000-7000-8000-00000000000f',
  webhook: '0199a001-0000-7000-8000-000000000013',
  webhookDelivery: '0199a001-0000-7000-8000-000000000014',
  yesterday: '2026-11-21T00:00:00Z',
} as const;

export type DemoName = keyof typeof standIns;
export type DemoValues = Partial<Record<DemoName, string | number | null>>;

/** The current ids of the demo's rows that examples name, and the login of its shopper. */
export interface DemoExamples {
  values: DemoValues;
  login: { username: string; password: string };
}

/** Finds them: null if the database holds no demo. */
export type FindDemo = () => Promise<DemoExamples | null>;

/** Names a row of the demo data in an example. */
export function demo(name: DemoName): string {
  return `{{${name}}}`;
}

const marker = /"\{\{(\w+)\}\}"/g;

/** The JSON with a value for every demo row that it names. */
export function withDemoValues(json: string, values: DemoValues): string {
  return json.replace(marker, (_, name: DemoName) => JSON.stringify(values[name] ?? standIns[name]));
}
