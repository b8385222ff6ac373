import type { AttachmentCreate } from '../../../../../../src/scanning/scan-events/scan-event-append.dto.js';
import { type DemoCall, graphqlCalls, grpcCalls, pageCalls, restCalls } from '../calls.js';
import { graphqlUrl, webUrl } from '../company.js';
import { between, oneOf, pick, type Random } from '../../../random.js';
import type { Scene } from './demo-event.js';

/** A call that fits what is scanned. */
export function callAt({ random, scan, asset }: Scene): DemoCall {
  if (asset.type === 'GRAPHQL' || scan.manner === 'graphql') return oneOf(random, graphqlCalls);
  if (scan.manner === 'grpc') return oneOf(random, grpcCalls);
  if (asset.class === 'FRONTEND' || scan.manner === 'web') return oneOf(random, pageCalls);
  return oneOf(random, restCalls);
}

function baseOf({ scan, asset }: Scene): string {
  if (scan.manner === 'graphql') return graphqlUrl;
  return asset.address.includes('://') ? asset.address : webUrl;
}

function filledIn(path: string, random: Random): string {
  return path
    .replace('{sku}', oneOf(random, ['harbour-tent-2', 'trail-stove', 'dry-bag-30']))
    .replace('{number}', String(between(random, 10_000_000, 99_999_999)))
    .replace('{id}', String(between(random, 90_000, 90_999)));
}

const waits = [
  { value: 40, weight: 8 },
  { value: 160, weight: 5 },
  { value: 700, weight: 2 },
  { value: 3_000, weight: 0.5 },
];

/** Request and response of a call. What `told` says of them replaces the usual. */
export function exchange(
  scene: Scene,
  { method, path, body, status, answer }: DemoCall,
  told: { status?: number; answer?: string; query?: string } = {},
): AttachmentCreate {
  const { random } = scene;
  const url = baseOf(scene) + filledIn(path, random) + (told.query ?? '');
  const headers = { authorization: 'Bearer (hidden)', 'user-agent': 'harbour-scanner/3.2' };
  const type = scene.scan.manner === 'web' ? 'text/html; charset=utf-8' : 'application/json';
  const durationMs = between(random, 8, pick(random, waits));
  return {
    type: 'EXCHANGE',
    exchange: {
      request: { method, url, headers, ...(body === undefined ? {} : { body }) },
      response: { status: told.status ?? status, headers: { 'content-type': type }, body: told.answer ?? answer },
      durationMs,
    },
  };
}

/** A request without a response. */
export function unanswered(scene: Scene, { method, path }: DemoCall): AttachmentCreate {
  const url = baseOf(scene) + filledIn(path, scene.random);
  return { type: 'EXCHANGE', exchange: { request: { method, url }, durationMs: 10_000 } };
}
