import { between, type Weighted } from '../../random.js';
import { callAt, exchange, unanswered } from './calls.js';
import { oneOf, snippet, type Template } from './demo-event.js';

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

const sent: Template = (scene) => {
  const call = callAt(scene);
  return {
    level: 'DEBUG',
    stage: 'EXECUTION',
    title: `Request sent: ${call.name}`,
    description: `Part of the test ${oneOf(scene.random, tests)}. The answer is as described.`,
    attachments: [exchange(scene, call)],
  };
};

const passed: Template = (scene) => {
  const [call, test] = [callAt(scene), oneOf(scene.random, tests)];
  const requests = between(scene.random, 3, 60);
  return {
    level: 'INFO',
    stage: 'EXECUTION',
    title: `Test ${test} passed on ${call.name}`,
    description: `${requests} requests, none of them answered in a way that it looks for.`,
    attachments: [],
  };
};

const probed: Template = (scene) => {
  const [call, payload] = [callAt(scene), oneOf(scene.random, payloads)];
  const query = `?probe=${encodeURIComponent(payload)}`;
  return {
    level: 'DEBUG',
    stage: 'EXECUTION',
    title: `Payload tried on ${call.name}`,
    description: `The input ${payload} was refused.`,
    attachments: [exchange(scene, call, { status: 422, answer: '{"detail":"Invalid input"}', query })],
  };
};

const measured: Template = (scene) => {
  const call = callAt(scene);
  const [median, slowest] = [between(scene.random, 18, 90), between(scene.random, 120, 2_400)];
  return {
    level: 'DEBUG',
    stage: 'EXECUTION',
    title: `Performance of ${call.name}`,
    description: `Median ${median} ms, slowest ${slowest} ms, over ${between(scene.random, 20, 120)} requests.`,
    attachments: [],
  };
};

const slowedDown: Template = (scene) => {
  const call = callAt(scene);
  return {
    level: 'WARNING',
    stage: 'EXECUTION',
    title: `Limit of requests reached at ${call.name}`,
    description: 'The service answers 429: waiting as long as it says, then going on more slowly.',
    attachments: [exchange(scene, call, { status: 429, answer: '{"detail":"Too many requests"}' })],
  };
};

const timedOut: Template = (scene) => {
  const call = callAt(scene);
  return {
    level: 'WARNING',
    stage: 'EXECUTION',
    title: `No answer from ${call.name} within 10 s`,
    description: 'Tried again once; the second request was answered.',
    attachments: [unanswered(scene, call)],
  };
};

const broken: Template = (scene) => {
  const call = callAt(scene);
  return {
    level: 'ERROR',
    stage: 'EXECUTION',
    title: `Test ${oneOf(scene.random, tests)} could not be carried out on ${call.name}`,
    description: 'The connection was reset three times. The test is left out, the scan goes on.',
    attachments: [unanswered(scene, call)],
  };
};

const renewed: Template = ({ random }) => ({
  level: 'INFO',
  stage: 'CONFIGURATION',
  title: 'Access token renewed',
  description: `The token of user ${oneOf(random, ['A', 'B'])} was about to end; the new one is valid for an hour.`,
  attachments: [],
});

const sampled: Template = (scene) => {
  const call = callAt(scene);
  const value = between(scene.random, 90_000, 90_999);
  return {
    level: 'DEBUG',
    stage: 'CONFIGURATION',
    title: `Sample values chosen for ${call.name}`,
    description: 'Taken from an earlier answer, so that the request means something.',
    attachments: [snippet('samples.json', 'json', JSON.stringify({ id: value, user: 'A' }, null, 2))],
  };
};

/** What happens while a service is tested request by request. */
export const serviceHappenings: readonly Weighted<Template>[] = [
  { value: sent, weight: 9 },
  { value: passed, weight: 8 },
  { value: probed, weight: 6 },
  { value: measured, weight: 2.5 },
  { value: slowedDown, weight: 1 },
  { value: timedOut, weight: 0.7 },
  { value: broken, weight: 0.4 },
  { value: renewed, weight: 0.6 },
  { value: sampled, weight: 1.5 },
];
