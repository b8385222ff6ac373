import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse, parseAllDocuments } from 'yaml';
import { startTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const textOf = (file: string): string => readFileSync(`deploy/${file}`, 'utf8');

interface Manifest {
  kind: string;
  data?: Record<string, string>;
}
interface Rules {
  groups: { rules: { alert: string; expr: string }[] }[];
}
interface Dashboard {
  panels: { title: string; targets: { expr: string }[] }[];
}
interface ScrapeConfig {
  job_name: string;
  authorization: { credentials_file: string };
  relabel_configs?: { source_labels: string[]; regex?: string }[];
}
interface Deployment {
  spec: { template: { metadata: { labels: object }; spec: { containers: { ports: { name: string }[] }[] } } };
}
interface Compose {
  services: Record<string, { build?: unknown; init?: boolean; environment?: Record<string, string> }>;
}

function settings(): Set<string> {
  const names = readFileSync('.env.example', 'utf8').matchAll(/^#?([A-Z][A-Z0-9_]+)=/gm);
  return new Set([...names].map((match) => match[1] ?? ''));
}

/** Metrics that only some nodes have: those of traces. */
function metricsOfSome(): string[] {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const texts = files.map((file) => readFileSync(`src/${file}`, 'utf8'));
  return texts.flatMap((text) =>
    Array.from(text.matchAll(/\.(?:watch|count)\(\s*'([a-z_]+)'/g), (match) => match[1] ?? ''),
  );
}

/** The names of metrics in an expression: everything but functions, labels, texts and numbers. */
function metricsIn(expression: string): string[] {
  const bare = expression.replace(/\{[^}]*\}/g, '{}').replace(/\b(?:by|without) \([^)]*\)/g, '');
  return [...bare.matchAll(/\b([a-z][a-z_0-9]*)(?=\s*(?:\{\}|\[))/g)].map((match) => match[1] ?? '');
}

describe('What deploy/ names', () => {
  it('are metrics that the service has', async () => {
    await app.api.get('/api/v1/products/');
    const { body } = await app.api.get<string>('/metrics');
    const known = new Set([...body.matchAll(/^([a-z_0-9]+)[{ ]/gm)].map((match) => match[1]));
    for (const name of ['up', ...metricsOfSome()]) known.add(name); // `up` is Prometheus's own
    const rules = (parse(textOf('alerts.yml')) as Rules).groups.flatMap((group) => group.rules);
    const panels = (JSON.parse(textOf('grafana.json')) as Dashboard).panels;
    const expressions = [...rules, ...panels.flatMap(({ targets }) => targets)].map(({ expr }) => expr);
    for (const expression of expressions) expect(metricsIn(expression)).not.toEqual([]);
    expect(expressions.flatMap(metricsIn).filter((name) => !known.has(name))).toEqual([]);
  });

  it('are metrics of the job that Prometheus asks, with a token', () => {
    const text = textOf('prometheus.yml');
    const { rule_files, scrape_configs } = parse(text) as { rule_files: string[]; scrape_configs: ScrapeConfig[] };
    expect(rule_files).toEqual(['alerts.yml']);
    const onKubernetes = parse(text.slice(text.indexOf('# - job_name')).replace(/^ *# /gm, '')) as ScrapeConfig[];
    for (const jobs of [scrape_configs, onKubernetes]) {
      expect(jobs).toMatchObject([{ job_name: 'store', authorization: { credentials_file: expect.any(String) } }]);
    }
    expect(textOf('alerts.yml')).not.toMatch(/job="(?!store")/);
    const [, , deployment] = parseAllDocuments(textOf('kubernetes/store.yml')).map((one) => one.toJS() as Deployment);
    const { metadata, spec } = (deployment as Deployment).spec.template;
    expect(metadata.labels).toEqual({ app: onKubernetes[0]?.relabel_configs?.[0]?.regex });
    expect(spec.containers[0]?.ports[0]?.name).toBe(onKubernetes[0]?.relabel_configs?.[1]?.regex);
  });

  it('rate what only grows, and nothing else', () => {
    const text = textOf('alerts.yml') + textOf('grafana.json');
    const rated = [...text.matchAll(/\b(?:rate|increase)\(([a-z_0-9]+)\{/g)].map((match) => match[1] ?? '');
    expect(rated.length).toBeGreaterThan(20);
    expect(rated.filter((name) => !/_(?:total|count|bucket)$/.test(name))).toEqual([]);
    const plain = [...text.matchAll(/(?<!\b(?:rate|increase)\()\b([a-z_0-9]+_total)\{/g)].map((match) => match[1]);
    expect(plain).toEqual([]);
  });

  it('tell of what waits: jobs, mails, deliveries, connections, backups, versions', () => {
    for (const file of ['alerts.yml', 'grafana.json']) {
      const text = textOf(file);
      for (const name of [
        'jobs_oldest_waiting_seconds',
        'jobs_ended_total',
        'mails_waiting',
        'webhook_attempts_total',
        'database_pool_waiting',
        'database_up',
        'backup_last_success_timestamp_seconds',
        'build_info',
      ]) {
        expect(text).toContain(`${name}{`);
      }
    }
  });

  it('cover lost traces, in alerts and dashboard', () => {
    for (const file of ['alerts.yml', 'grafana.json']) {
      const text = textOf(file);
      expect(text).toContain('trace_spans_dropped_total{');
    }
  });

  it('have PgBouncer ignore the limits that the service asks for, and the role bring them', () => {
    const ignored = 'ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout,lock_timeout';
    for (const file of ['pgbouncer.ini', 'compose.yml']) expect(textOf(file)).toContain(ignored);
    const limits = [...textOf('compose.yml').matchAll(/ALTER ROLE store SET .*;/g)].map(([line]) => line);
    expect(limits).toHaveLength(4);
    const page = readFileSync('docs/scale.md', 'utf8');
    const sentence = readFileSync('src/database/connections/pooled-role.ts', 'utf8').replaceAll(
      '${limits.role}',
      'store',
    );
    for (const limit of limits) {
      expect(page).toContain(limit);
      expect(sentence).toContain(limit.slice(0, -1));
    }
  });

  it('do not let PgBouncer make an outage longer than it is: by default it asks a server again after 15 s', () => {
    for (const file of ['pgbouncer.ini', 'compose.yml']) expect(textOf(file)).toMatch(/^ *server_login_retry = 1$/m);
  });

  it('make no process of ours the first one of a container, which is hard to stop while it starts', () => {
    const { services } = parse(textOf('compose.yml'), { merge: true }) as Compose;
    const ours = Object.values(services).filter(({ build }) => build === '..');
    expect(ours.length).toBeGreaterThanOrEqual(3);
    expect(ours.map(({ init }) => init)).toEqual(ours.map(() => true));
    expect(readFileSync('docs/running.md', 'utf8')).toMatch(/^docker run --init /m);
  });

  it('are settings that the service reads', () => {
    const known = settings().add('NODE_ENV').add('MALLOC_MMAP_THRESHOLD_');
    const named: string[] = [];
    for (const file of ['kubernetes/store.yml', 'kubernetes/migrate.yml']) {
      const manifests = parseAllDocuments(textOf(file)).map((one) => one.toJS() as Manifest);
      expect(manifests.every(({ kind }) => kind !== '')).toBe(true);
      for (const { kind, data } of manifests) if (kind === 'ConfigMap') named.push(...Object.keys(data ?? {}));
    }
    const { services } = parse(textOf('compose.yml'), { merge: true }) as Compose;
    for (const { build, environment } of Object.values(services)) {
      if (build === '..') named.push(...Object.keys(environment ?? {}));
    }
    const unit = textOf('systemd/store@.service').matchAll(/^Environment=([A-Z_]+)=/gm);
    named.push(...Array.from(unit, (match) => match[1] ?? ''));
    expect(named.length).toBeGreaterThan(15);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });
});

interface GateJobs {
  jobs: Record<string, { if?: string; needs?: string }>;
}

describe('The gate in deploy/ci', () => {
  it('judges no pull request of a fork, which gets no key, and says so', () => {
    const { jobs } = parse(textOf('ci/github-actions.yml')) as GateJobs;
    const own = 'github.event.pull_request.head.repo.full_name == github.repository';
    expect(jobs['gate']?.if).toBe(`github.event_name == 'push' || ${own}`);
    expect(jobs['fork']?.if).toContain(own.replace('==', '!='));
    const gitlab = parse(textOf('ci/gitlab-ci.yml')) as Record<string, { rules: { if: string }[] }>;
    expect(gitlab['pass-without-new-findings']?.rules[0]?.if).toContain('&& $STORE_API_KEY');
  });
});
