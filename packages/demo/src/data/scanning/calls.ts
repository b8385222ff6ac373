/** One call that a scanner makes, and the usual response. */
export interface DemoCall {
  name: string;
  method: string;
  path: string;
  body?: string;
  status: number;
  answer: string;
}

function call(method: string, path: string, status: number, answer: string, body?: string): DemoCall {
  return { name: `${method} ${path}`, method, path, status, answer, ...(body === undefined ? {} : { body }) };
}

export const restCalls: readonly DemoCall[] = [
  call('GET', '/products', 200, '{"data":[{"sku":"harbour-tent-2","name":"Harbour Tent 2","price":349}],"next":2}'),
  call('GET', '/products/{sku}', 200, '{"sku":"harbour-tent-2","name":"Harbour Tent 2","weight_grams":"2450"}'),
  call('GET', '/products/{sku}/reviews', 200, '{"data":[{"rating":5,"text":"Dry in a storm."}]}'),
  call('POST', '/products/{sku}/reviews', 201, '{"id":8812}', '{"rating":4,"text":"Good, a little heavy"}'),
  call('GET', '/categories', 200, '{"data":[{"slug":"tents"},{"slug":"stoves"},{"slug":"boots"}]}'),
  call('POST', '/sessions', 401, '{"detail":"Wrong e-mail or password"}', '{"email":"a@example.com","password":"x"}'),
  call('DELETE', '/sessions/current', 204, ''),
  call('GET', '/me', 200, '{"id":4471,"email":"scanner-a@harbour-outfitters.example"}'),
  call('PATCH', '/me', 200, '{"id":4471,"newsletter":false}', '{"newsletter":false}'),
  call('GET', '/me/addresses', 200, '{"data":[{"id":17,"city":"Kiel","zip":"24103"}]}'),
  call('POST', '/cart/lines', 201, '{"sku":"trail-stove","quantity":1}', '{"sku":"trail-stove","quantity":1}'),
  call('DELETE', '/cart/lines/{id}', 204, ''),
  call('POST', '/cart/coupons', 404, '{"detail":"No such coupon"}', '{"code":"AUTUMN"}'),
  call('POST', '/orders', 201, '{"id":90417,"status":"pending"}', '{"address_id":17}'),
  call('GET', '/orders/{id}', 404, '{"detail":"No such order"}'),
  call('GET', '/orders/{id}/invoice', 404, '{"detail":"No such order"}'),
  call('GET', '/orders/search', 200, '{"data":[]}'),
  call('PUT', '/orders/{id}/note', 200, '{"id":90417,"note":"ring twice"}', '{"note":"ring twice"}'),
  call('POST', '/payments', 402, '{"detail":"The card was refused"}', '{"order_id":90417,"token":"tok_demo"}'),
  call('GET', '/gift-cards/{number}/balance', 200, '{"balance":25}'),
  call('POST', '/partners/webhook-test', 202, '{"queued":true}', '{"url":"https://partner.example/hook"}'),
  call('GET', '/reports/sales', 403, '{"detail":"For staff alone"}'),
];

export const graphqlCalls: readonly DemoCall[] = [
  ['Query.products', '{ products(first: 20) { nodes { id name price { amount } } } }'],
  ['Query.product', '{ product(id: "2214") { id name description } }'],
  ['Query.categories', '{ categories { slug title } }'],
  ['Query.search', '{ search(term: "tent") { id score } }'],
  ['Product.related', '{ product(id: "2214") { related(first: 5) { id related(first: 5) { id } } } }'],
  ['Product.stock', '{ product(id: "2214") { stock { warehouse free } } }'],
  ['Mutation.addToWishlist', 'mutation { addToWishlist(productId: "2214") { count } }'],
  ['Mutation.redeemCoupon', 'mutation { redeemCoupon(code: "AUTUMN") { percent } }'],
  ['Query.__type', '{ __type(name: "Product") { fields { name } } }'],
].map(([name = '', query]) => ({
  name,
  method: 'POST',
  path: '',
  body: JSON.stringify({ query }),
  status: 200,
  answer: '{"data":{}}',
}));

export const grpcCalls: readonly DemoCall[] = [
  call('POST', '/stock.v2.Stock/Get', 200, '{"sku":"harbour-tent-2","free":41}', '{"sku":"harbour-tent-2"}'),
  call('POST', '/stock.v2.Stock/Reserve', 503, '', '{"sku":"harbour-tent-2","count":1}'),
  call('POST', '/stock.v2.Stock/Watch', 503, '', '{}'),
  call('POST', '/grpc.health.v1.Health/Check', 200, '{"status":"SERVING"}', '{}'),
];

/** The pages that a crawler visits. */
export const pages: readonly { path: string; title: string }[] = [
  { path: '/', title: 'Harbour Outfitters' },
  { path: '/search?q=tent', title: 'Results for tent' },
  { path: '/categories/tents', title: 'Tents' },
  { path: '/categories/boots', title: 'Boots' },
  { path: '/products/harbour-tent-2', title: 'Harbour Tent 2' },
  { path: '/products/trail-stove', title: 'Trail Stove' },
  { path: '/cart', title: 'Your cart' },
  { path: '/checkout', title: 'Checkout' },
  { path: '/login', title: 'Sign in' },
  { path: '/account', title: 'Your account' },
  { path: '/account/addresses', title: 'Your addresses' },
  { path: '/account/orders', title: 'Your orders' },
  { path: '/customers', title: 'Customers' },
  { path: '/me', title: 'My profile' },
];

export const pageCalls: readonly DemoCall[] = pages.map(({ path, title }) =>
  call('GET', path, 200, `<!doctype html><title>${title}</title>`),
);
