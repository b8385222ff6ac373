import { beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { asWords } from '../../src/parts/words.js';
import { loadTexts } from '../../src/texts/texts.js';

beforeAll(() => loadTexts('en', ''));

/** Abbreviations, which the console writes as they are. */
const abbreviations =
  /^(API|ASM|ASP|AWS|BLST|CDN|CSPM|DAST|DNS|GCP|HAR|HMAC|IAM|IBM|JSON|LDAP|MCP|OIDC|OVH|REST|SAML|SOAP|WP|OK|[ABC])$/;

describe('asWords', () => {
  it('writes every value of the interface in words', () => {
    const types = readFileSync('packages/sdk/src/generated/types.gen.ts', 'utf8');
    const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH']);
    const values = new Set([...types.matchAll(/'([A-Z][A-Z0-9_]*)'/g)].map(([, value = '']) => value));
    expect(values.size).toBeGreaterThan(200);
    const raw = [...values]
      .filter((value) => !methods.has(value))
      .map((value) => [value, asWords(value)] as const)
      .filter(([, words]) => words.split(' ').some((word) => /_|^[A-Z0-9]+$/.test(word) && !abbreviations.test(word)));
    expect(raw).toEqual([]);
  });

  it.each([
    ['REST_NESTJS', 'REST NestJS'],
    ['REST_ASP_NET', 'REST ASP.NET'],
    ['REST_RUBY_ON_RAILS', 'REST Ruby on Rails'],
    ['GRAPHQL_GRAPHQLYOGA', 'GraphQL GraphQL Yoga'],
    ['FRONTEND_JQUERY', 'Frontend jQuery'],
    ['GRPC', 'gRPC'],
    ['CODEHOST_A_REPOSITORY', 'Code host A repository'],
    ['out_for_delivery', 'Out for delivery'],
    ['MTLS', 'mTLS'],
  ])('writes %s as %s', (value, words) => {
    expect(asWords(value)).toBe(words);
  });
});
