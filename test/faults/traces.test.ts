import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { signIn } from '../support/accounts.js';
import { ApiClient } from '../support/api-client.js';
import { OtlpReceiver, type ReceivedSpan } from '../support/otlp-receiver.js';
import { type Receiver, startReceiver, until } from '../support/receiver.js';
import { sarifLog, sarifResult } from '../support/report-imports.js';
import { makeScanningCaller, type ScanningCaller } from '../support/scanning-caller.js';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { webhook } from '../support/workflows.js';

const secret = 'hush-hush-hush';
const password = randomBytes(12).toString('hex');
const keys = { JWT_SECRET: randomBytes(32).toString('hex'), ENCRYPTION_KEY: randomBytes(32).toString('hex') };

let collector: OtlpReceiver;
let receiver: Receiver;
let database: TestDatabase;
let dataDir: string;
let service: ServiceProcess;
let api: ApiClient;
let caller: ScanningCaller;

async function restart(): Promise<void> {
  service = await startServiceProcess({
    ...database.env,
    ...keys,
    DATA_DIR: dataDir,
    DEMO_DATA: 'false',
    CONSOLE: 'false',
    STOREFRONT: 'false',
    DOCS: 'false',
    ADMIN_PASSWORD: password,
    EGRESS_ALLOW: '127.0.0.1',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=k%20y',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    OTEL_SERVICE_NAME: 'shop',
  });
  api = new ApiClient(service.baseUrl, () => undefined);
}

beforeAll(async () => {
  collector = await OtlpReceiver.start();
  receiver = await startReceiver();
  database = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'store-traces-'));
  await restart();
  caller = await makeScanningCaller(api, await signIn({ api }, 'admin', password));
  await makeWorkflow('NEW_ISSUE');
});
beforeEach(async () => {
  receiver.answer = (response) => response.end();
  collector.isSilent = false;
  await collector.open();
  if (service.child.exitCode !== null || service.child.signalCode !== null) await restart();
});
afterAll(async () => {
  await service.stop('SIGKILL');
  await receiver.close();
  await collector.close();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

function newTrace(flags = '01') {
  const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  return { traceId, spanId, headers: { traceparent: `00-${traceId}-${spanId}-${flags}` } };
}

async function makeWorkflow(trigger: string): Promise<void> {
  const actions = [webhook(`${receiver.url}/${secret}?key=${secret}`, { headers: [{ name: 'X-Key', value: secret }] })];
  const json = { name: trigger, trigger: { type: trigger }, actions };
  expect((await api.post('/api/v1/workflows', { token: caller.token, json })).status).toBe(201);
}

/** Whether it is the span of a webhook in this trace. */
function isDelivery({ kind, attributes, traceId }: ReceivedSpan, of: string): boolean {
  return kind === 'CLIENT' && attributes['server.port'] !== undefined && traceId === of;
}

/** The chain from a span up to the first of its trace. */
function wayUp(span: ReceivedSpan, spans: ReceivedSpan[]): ReceivedSpan[] {
  const parent = spans.find(({ spanId }) => spanId === span.parentId);
  return parent ? [span, ...wayUp(parent, spans)] : [span];
}

/** The parts of OpenTelemetry that are loaded by a process that runs this beside `startTracing`. */
async function loadedBy(script: string): Promise<string[]> {
  const start = "import { startTracing } from './dist/src/platform/tracing/start-tracing.js';";
  const args = ['--import', './test/support/loaded-modules.mjs', '--input-type=module', '--eval', start + script];
  const { stderr } = await promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 26 });
  expect(stderr).toContain('start-tracing.js');
  return stderr.split('\n').filter((line) => line.includes('/otel-') || line.includes('@opentelemetry'));
}

async function metric(name: string): Promise<number> {
  const { body } = await api.get<string>('/metrics');
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(body)?.[1]);
}

describe('With OTEL_EXPORTER_OTLP_ENDPOINT', () => {
  it('an import, the jobs that follow from it and their webhook share one trace', async () => {
    const { traceId, spanId, headers } = newTrace();
    const json = sarifLog([sarifResult(`R-${traceId}`)]);
    const { status } = await api.post('/api/v1/scans/import', { token: caller.token, json, headers });
    expect(status).toBe(201);
    const post = await collector.span('the delivery', (span) => isDelivery(span, traceId));
    const isRoot = (span: ReceivedSpan) => span.kind === 'SERVER' && span.traceId === traceId;
    const request = await collector.span('the request', isRoot);
    const jobs = ['webhook-delivery', 'workflow-run', 'workflow-trigger'];
    await until(() => jobs.every((job) => collector.of(traceId).some(({ name }) => name === `process ${job}`)));
    const way = wayUp(post, collector.of(traceId));
    expect(way.map(({ kind }) => kind)).toEqual([
      'CLIENT',
      'CONSUMER',
      'CLIENT',
      'CONSUMER',
      'CLIENT',
      'CONSUMER',
      'CLIENT',
      'SERVER',
    ]);
    expect(way.filter(({ kind }) => kind === 'CONSUMER').map(({ name }) => name)).toEqual(
      jobs.map((job) => `process ${job}`),
    );
    expect(way.at(-2)?.name).toBe('triggers.insert');
    expect(request).toMatchObject({ name: 'POST /api/v1/scans/import', parentId: spanId });
    expect(request.attributes).toMatchObject({ 'http.response.status_code': 201, 'url.path': '/api/v1/scans/import' });
    expect(post.attributes).toMatchObject({ 'http.request.method': 'POST', 'http.response.status_code': 200 });
    const sent = receiver.received.map((one) => one.headers['traceparent']);
    expect(sent).toContain(`00-${traceId}-${post.spanId}-01`);
    expect(request.resource).toMatchObject({ 'service.name': 'shop', 'deployment.environment.name': 'test' });
    expect(collector.requests[0]).toMatchObject({ path: '/v1/traces', headers: { 'x-key': 'k y' } });
    for (const span of collector.of(traceId)) expect(span.endedAt).toBeGreaterThanOrEqual(span.startedAt);
  });

  it('no secret appears in a trace', async () => {
    const { traceId, headers } = newTrace();
    await api.get(`/api/v1/products/?limit=2&token=${secret}`, { headers });
    await collector.span('the read', (span) => span.traceId === traceId);
    const said = JSON.stringify(collector.spans, (_key, value: unknown) => String(value));
    for (const word of [secret, password, caller.token, 'token=', 'eval(x)']) expect(said).not.toContain(word);
  });

  it("a caller's trace is continued, even when the response comes from memory", async () => {
    const url = '/api/v1/products/?limit=3';
    await api.get(url);
    const kept = newTrace();
    await api.get(url, kept);
    const read = await collector.span('the read', ({ traceId }) => traceId === kept.traceId);
    expect(read).toMatchObject({ name: 'GET /api/v1/products/', parentId: kept.spanId, kind: 'SERVER' });
    const direct = newTrace();
    await api.get('/api/v1/cart/', { token: caller.token, ...direct });
    await until(() => collector.of(direct.traceId).some(({ kind }) => kind === 'SERVER'), 'the cart');
    const statements = collector.of(direct.traceId).filter(({ attributes }) => attributes['db.query.summary']);
    expect(statements.length).toBeGreaterThan(0);
  });

  it('the log names the trace', async () => {
    const { traceId, headers } = newTrace();
    await api.get('/api/v1/nothing-here', { headers });
    await until(() => service.output().includes(`"trace_id":"${traceId}"`), 'the log line');
  });

  it('an invalid traceparent begins a new trace', async () => {
    const [zeros, some] = ['0'.repeat(32), 'a'.repeat(32)];
    const wrong = ['', '00-0-0-01', `00-${zeros}-${'1'.repeat(16)}-01`, `ff-${some}-${'b'.repeat(16)}-01`];
    for (const [index, traceparent] of wrong.entries()) {
      await api.get(`/api/v1/reviews/none-${index}`, { headers: { traceparent } });
    }
    for (const index of wrong.keys()) {
      const path = `/api/v1/reviews/none-${index}`;
      const span = await collector.span(path, ({ attributes }) => attributes['url.path'] === path);
      expect(span.parentId).toBe('');
      expect([zeros, some]).not.toContain(span.traceId);
    }
  });

  it('a caller who declines tracing is not traced', async () => {
    const unwanted = newTrace('00');
    await api.get('/api/v1/products/?limit=4', unwanted);
    const wanted = newTrace();
    await api.get('/api/v1/products/?limit=4', wanted);
    await collector.span('the later one', ({ traceId }) => traceId === wanted.traceId);
    expect(collector.of(unwanted.traceId)).toEqual([]);
  });

  it('a trace continues on another node when its own is killed', async () => {
    receiver.answer = () => undefined;
    const { traceId, headers } = newTrace();
    const json = sarifLog([sarifResult(`R-${traceId}`)]);
    const before = receiver.received.length;
    await api.post('/api/v1/scans/import', { token: caller.token, json, headers });
    await receiver.has(before + 1);
    await service.stop('SIGKILL');
    receiver.answer = (response) => response.end();
    await restart();
    const post = await collector.span('the delivery', (span) => isDelivery(span, traceId));
    expect(post.attributes['http.response.status_code']).toBe(200);
  });
});

describe('Without a collector', () => {
  it('nothing of OpenTelemetry is loaded', async () => {
    // No other file imports it: .dependency-cruiser.cjs holds that.
    expect(await loadedBy('await startTracing({});')).toEqual([]);
    expect(await loadedBy(`await startTracing({ url: '${collector.url}', sampler: 'always_on' });`)).not.toEqual([]);
  });
});

describe('A collector that is away', () => {
  it('delays nobody, its spans are counted as dropped, and later ones are sent', async () => {
    const [from, already] = [service.output().length, await metric('trace_spans_dropped_total')];
    const printed = () => service.output().slice(from);
    await collector.close();
    const path = '/api/v1/products/?limit=5';
    for (const one of [path, '/api/v1/reviews/none', '/api/v1/cart/']) {
      expect((await api.get(one)).status).toBeLessThan(500);
    }
    await until(async () => (await metric('trace_spans_dropped_total')) > already, 'dropped spans');
    await until(() => printed().includes('The collector takes no traces'), 'a line in the log');
    await collector.open();
    await until(async () => {
      await api.get(path);
      return printed().includes('The collector takes traces again');
    }, 'a line in the log');
    expect(await metric('trace_spans_exported_total')).toBeGreaterThan(0);
  });

  it('makes the service keep a bounded number of spans while silent, and delays a stop by only some seconds', async () => {
    collector.isSilent = true;
    const already = await metric('trace_spans_dropped_total');
    const ask = () => api.get('/api/v1/products/?limit=5');
    await until(async () => {
      await Promise.all(Array.from({ length: 100 }, ask));
      return (await metric('trace_spans_dropped_total')) > already;
    }, 'further dropped spans');
    expect(await service.stop('SIGTERM')).toBe(0);
  });
});

describe('SIGTERM', () => {
  it('sends the spans that are waiting', async () => {
    const { traceId, headers } = newTrace();
    await api.get('/api/v1/products/?limit=6', { headers });
    expect(await service.stop('SIGTERM')).toBe(0);
    expect(collector.of(traceId).map(({ kind }) => kind)).toContain('SERVER');
  });
});
