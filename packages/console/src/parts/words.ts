import { texts } from '../texts/texts.js';

/** Names and abbreviations in their own spelling. */
const written =
  'API ASM ASP AWS BLST CDN CSPM DAST DNS GCP HAR HMAC IAM IBM ID IPs IPv4 IPv6 JSON LDAP MCP NET OAuth OIDC OVH REST SAML SHA ' +
  'SOAP TLS UCloud URI URL WP GraphQL gRPC mTLS OpenAPI WebSocket Akamai Alibaba Angular Apollo Auth0 Azure Burp ' +
  'Clojure Cloudflare Cognito DigitalOcean Django Express FastAPI Fastly Flask Gin Gravitee Heroku Hono Insomnia JavaScript ' +
  'Keycloak Lambda Laravel Linode NestJS Oracle Play Postman Rails React Ruby Scala Scaleway Spring Boot Svelte Symfony Tencent Vercel ' +
  'Vue jQuery';
const spelled = new Map(written.split(' ').map((word) => [word.toLowerCase(), word]));
for (const [word, name] of [
  ['burpsuite', 'Burp Suite'],
  ['codehost', 'code host'],
  ['graphqlyoga', 'GraphQL Yoga'],
  ['nextjs', 'Next.js'],
  ['nuxtjs', 'Nuxt.js'],
  ['webapp', 'web app'],
] as const) {
  spelled.set(word, name);
}
/** Values whose name is not made of their words. */
const wholes = new Map([
  ['OK', 'OK'],
  ['REST_ASP_NET', 'REST ASP.NET'],
  ['REST_EXPRESS_JS', 'REST Express.js'],
  ['AZURE_ACTIVE_DIRECTORY', 'Azure Directory'],
]);

/** The name of a value in the language of the page: `out_for_delivery` and `IN_PROGRESS` as people write them. */
export function asWords(name: string): string {
  const known = texts.names[name.toLowerCase()];
  if (known !== undefined) return known.charAt(0).toUpperCase() + known.slice(1);
  const whole = wholes.get(name.toUpperCase());
  if (whole !== undefined) return whole;
  const words = name
    .split('_')
    .map((word) => (/^[A-C]$/.test(word) ? word : (spelled.get(word.toLowerCase()) ?? word.toLowerCase())));
  const [first = '', ...rest] = words;
  const isName = /[A-Z]/.test(first);
  return [isName ? first : first.charAt(0).toUpperCase() + first.slice(1), ...rest].join(' ');
}

/** The same within a sentence: nouns keep their capital where the language gives them one. */
export function amidWords(name: string): string {
  return texts.names[name.toLowerCase()] ?? asWords(name).toLowerCase();
}
