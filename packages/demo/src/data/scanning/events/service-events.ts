import { between, oneOf, type Weighted } from '../../../random.js';
import { callAt, exchange, unanswered } from './exchanges.js';
import { snippet, template, type Template } from './demo-event.js';

const tests = [
  'sql_injection',
  'nosql_injection',
  'bola',
  'mass_assignment',
  'jwt_none',
  'rate_limit',
  'verbose_errors',
  'cors_origin',
  'ssrf',
  'enumeration',
  'response_schema',
  'http_methods',
] as const;

const payloads = ["' OR 1=1 --", '{"$ne": null}', '../../etc/passwd', '<svg onload=1>', '-1', '9'.repeat(40)];

/** Events while a scanner tests a service request by request. */
export const serviceEvents: readonly Weighted<Template>[] = [
  template({ weight: 9, level: 'DEBUG' }, (scene) => {
    const call = callAt(scene);
    return {
      title: `Request sent: ${call.name}`,
      description: `Part of the test ${oneOf(scene.random, tests)}. The answer is as described.`,
      attachments: [exchange(scene, call)],
    };
  }),
  template({ weight: 8, level: 'INFO' }, (scene) => {
    const [call, test] = [callAt(scene), oneOf(scene.random, tests)];
    const requests = between(scene.random, 3, 60);
    return {
      title: `Test ${test} passed on ${call.name}`,
      description: `${requests} requests, none of them answered in a way that it looks for.`,
    };
  }),
  template({ weight: 6, level: 'DEBUG' }, (scene) => {
    const [call, payload] = [callAt(scene), oneOf(scene.random, payloads)];
    const query = `?probe=${encodeURIComponent(payload)}`;
    return {
      title: `Payload tried on ${call.name}`,
      description: `The input ${payload} was refused.`,
      attachments: [exchange(scene, call, { status: 422, answer: '{"detail":"Invalid input"}', query })],
    };
  }),
  template({ weight: 2.5, level: 'DEBUG' }, (scene) => {
    const call = callAt(scene);
    const [median, slowest] = [between(scene.random, 18, 90), between(scene.random, 120, 2_400)];
    return {
      title: `Performance of ${call.name}`,
      description: `Median ${median} ms, slowest ${slowest} ms, over ${between(scene.random, 20, 120)} requests.`,
    };
  }),
  template({ weight: 1, level: 'WARNING' }, (scene) => {
    const call = callAt(scene);
    return {
      title: `Limit of requests reached at ${call.name}`,
      description: 'The service answers 429: waiting as long as it says, then going on more slowly.',
      attachments: [exchange(scene, call, { status: 429, answer: '{"detail":"Too many requests"}' })],
    };
  }),
  template({ weight: 0.7, level: 'WARNING' }, (scene) => {
    const call = callAt(scene);
    return {
      title: `No answer from ${call.name} within 10 s`,
      description: 'Tried again once; the second request was answered.',
      attachments: [unanswered(scene, call)],
    };
  }),
  template({ weight: 0.4, level: 'ERROR' }, (scene) => {
    const call = callAt(scene);
    return {
      title: `Test ${oneOf(scene.random, tests)} could not be carried out on ${call.name}`,
      description: 'The connection was reset three times. The test is left out, the scan goes on.',
      attachments: [unanswered(scene, call)],
    };
  }),
  template({ weight: 0.6, level: 'INFO', stage: 'CONFIGURATION' }, ({ random }) => ({
    title: 'Access token renewed',
    description: `The token of user ${oneOf(random, ['A', 'B'])} was about to end; the new one is valid for an hour.`,
  })),
  template({ weight: 1.5, level: 'DEBUG', stage: 'CONFIGURATION' }, (scene) => {
    const call = callAt(scene);
    const value = between(scene.random, 90_000, 90_999);
    return {
      title: `Sample values chosen for ${call.name}`,
      description: 'Taken from an earlier answer, so that the request means something.',
      attachments: [snippet('samples.json', 'json', JSON.stringify({ id: value, user: 'A' }, null, 2))],
    };
  }),
];
