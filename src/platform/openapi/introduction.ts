/** The tags in the order in which one comes to use them, each with its subject. */
const storeTags = [
  ['auth', 'Accounts and logins: register, sign in, stay signed in, sign out, change the password.'],
  ['totp', 'Two-factor login by one-time codes (TOTP): set up, enable, disable.'],
  ['users', 'The public list of users, and your own profile.'],
  ['sessions', 'Where you are signed in: see it, and sign out there.'],
  ['shop', 'The shop itself: its name, currency and locale, how it ships and how it is paid.'],
  ['products', 'The catalog: browse, search, filter.'],
  ['cart', 'Your shopping cart.'],
  ['coupons', 'Coupons that everybody can use, and whether a code is valid.'],
  ['orders', 'Ask what the cart would cost, order its contents, and see your orders.'],
  ['reviews', 'What customers say about a product, and its statistics.'],
  ['testimonials', 'What customers and guests say about the shop.'],
  ['uploads', 'Pictures: upload them, or import them from an address; previews of links.'],
  ['admin', 'The administration of the shop.'],
  ['store-events', 'What happened in the shop, for other systems that ask.'],
  ['webhooks', 'Send what happens in the shop to other systems.'],
  ['health', 'Whether the service is alive, and whether it should get traffic.'],
] as const;
const scanningTags = [
  ['organizations', 'Organizations, their members and API keys. Start here.'],
  ['profiles', 'What is scanned, and by which kind of scanner (applications).'],
  ['assets', 'What the organization owns: services, front ends, hosts, repositories, schemas.'],
  ['tags', 'Labels for assets.'],
  ['views', 'Saved filters of issues.'],
  ['branches', 'The branches that scans were of: which issues are only on branches, and what goes with them.'],
  ['locations', 'The locations that scans run from (proxies).'],
  ['ids', 'Ids by their beginning, for people who type them.'],
  ['scans', 'Scans, their progress, and the import of reports.'],
  ['events', 'The log of a scan: what happened, when, with exchanges, snippets and screenshots.'],
  ['issues', 'What scans found, and what people decided about it.'],
  ['integrations', 'Credentials for other systems; secrets are masked when they are read.'],
  ['workflows', 'Send what happens and matches to a webhook.'],
  ['deliveries', 'The deliveries of webhooks, their attempts, and how to send them again.'],
  ['schemas', 'JSON Schemas of what webhooks send.'],
] as const;

export const tags = [...storeTags, ...scanningTags].map(([name, description]) => ({ name, description }));

/** The two wings, for readers such as Redoc that show tags in groups. */
export const tagGroups = [
  { name: 'Store', tags: storeTags.map(([name]) => name) },
  { name: 'Scanning', tags: scanningTags.map(([name]) => name) },
];

const aboutTheApi = `An online shop, and beside it a service that keeps security scans.

**Store** (${storeTags[0][0]} to ${storeTags.at(-1)?.[0]}): accounts, catalog, cart, orders, coupons, reviews, testimonials,
uploads and administration. Reading the catalogue needs no login. For the rest, get a token from
\`POST /api/v1/auth/login\` and send it as \`Authorization: Bearer TOKEN\`.

**Scanning** (${scanningTags[0][0]} to ${scanningTags.at(-1)?.[0]}): an organization's assets, the scans of them with
their events and issues, imports of scanners' reports, and workflows that send what matters to other systems by webhook.
Send an API key of the organization as \`X-API-Key: KEY\`, or a bearer token; a caller of several organizations names one
in \`X-Organization-Id\`. Viewers read, members write, admins also manage members, keys, integrations and workflows.
Anything of another organization is a 404.

**Errors** are \`{"detail": "a sentence", "code": "snake_case"}\`: tell them apart by \`code\`, all of which the schema
\`ErrorCode\` explains. A 422 lists what is wrong with the request, and where. An unsupported method is a
405, and \`Allow\` lists those that it takes. A slash at the end of an address makes no difference. Every answer carries \`x-request-id\`.`;

function demoLogin({ username, password }: { username: string; password: string }): string {
  return `**Try it here**: sign in as the demo's shopper, \`${username}\` with the password \`${password}\`, by the example of
\`POST /api/v1/auth/login\`, and paste the \`access_token\` under *Authorize*. The admin's password and an API key for the
scanning half were printed when the service first started. The examples use the demo data, and work as they are.`;
}

/** The text of the page before the operations; `login` where there are demo data to try them on. */
export function introduction(login?: { username: string; password: string }): string {
  const paragraphs = login ? [aboutTheApi, demoLogin(login)] : [aboutTheApi];
  return paragraphs.map((text) => text.replace(/(?<!\n)\n(?!\n)/g, ' ')).join('\n\n');
}
