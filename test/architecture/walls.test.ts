import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const root = fileURLToPath(new URL('../..', import.meta.url));
const config = join(root, '.dependency-cruiser.cjs');
const { forbidden } = createRequire(import.meta.url)(config) as { forbidden: { name: string }[] };

interface Violation {
  rule: { name: string };
  from: string;
  to: string;
}

/** For each wall, a file and one that it must not import; `type` imports only the type. */
const breaches: Record<string, { from: string; to: string; type?: boolean }> = {
  'no-cycles': { from: 'src/config/one.ts', to: 'src/config/other.ts' },
  'no-cycles-of-folders': { from: 'src/platform/errors', to: 'src/platform/validation' },
  'no-orphans': { from: 'src/config/alone.ts', to: 'src/config/alone.ts' },
  'config-is-the-ground': { from: 'src/config/settings.ts', to: 'src/platform/errors/errors.ts' },
  'the-ground-stands-on-config': { from: 'src/platform/http/log.ts', to: 'src/database/database.ts' },
  'connections-stand-on-the-ground': { from: 'src/database/connections/pooler.ts', to: 'src/database/database.ts' },
  'database-stands-on-the-ground': { from: 'src/database/migrate.ts', to: 'src/platform/jobs/job-queue.ts' },
  'quotas-stand-on-the-database': { from: 'src/platform/quotas/rates.ts', to: 'src/platform/jobs/job-queue.ts' },
  'the-embedded-server-stands-alone': {
    from: 'packages/embedded-postgres/src/holder.ts',
    to: 'src/database/migrate.ts',
  },
  'the-demo-knows-the-service-by-types': { from: 'packages/demo/src/random.ts', to: 'src/store/cart/cart.service.ts' },
  'packages-are-entered-by-their-doors': { from: 'src/cli/service.ts', to: 'packages/embedded-postgres/src/holder.ts' },
  'the-service-knows-none-of-its-clients': { from: 'src/cli/app.ts', to: 'packages/client/src/program.ts' },
  'jobs-know-no-module': { from: 'src/platform/jobs/worker.ts', to: 'src/store/cart/cart.service.ts' },
  'the-audit-log-knows-no-module': { from: 'src/platform/audit/people.ts', to: 'src/store/users/users.service.ts' },
  'tables-are-private-to-their-floor': {
    from: 'src/store/coupons/coupons.service.ts',
    to: 'src/platform/audit/audit-entries.repository.ts',
  },
  'tables-of-modules-are-closed-to-all-else': {
    from: 'src/demo/carts.service.ts',
    to: 'src/store/cart/cart.repository.ts',
  },
  'mail-knows-no-module': { from: 'src/platform/mail/accounts.ts', to: 'src/store/users/users.service.ts' },
  'deliveries-know-no-module': { from: 'src/platform/delivery/payloads.ts', to: 'src/store/users/users.service.ts' },
  'folders-stand-below-the-app': { from: 'src/store/cart/cart.module.ts', to: 'src/cli/service.ts' },
  'backups-stand-on-the-embedded-server': { from: 'src/cli/backup/backup.ts', to: 'src/platform/mail/mailer.ts' },
  'distribution-stands-on-connections': {
    from: 'src/database/distribution/distribute.ts',
    to: 'src/platform/jobs/job-queue.ts',
  },
  'the-console-is-served-alone': { from: 'src/platform/console/console-files.ts', to: 'src/database/database.ts' },
  'test-mode-is-loaded-by-the-ephemeral-start-alone': { from: 'src/cli/service.ts', to: 'src/test-mode/index.ts' },
  'the-shop-front-is-served-alone': {
    from: 'src/platform/storefront/serve-storefront.ts',
    to: 'src/database/database.ts',
  },
  'the-shop-front-stands-upon-the-sdk-alone': {
    from: 'packages/storefront/src/lib/server/cart.ts',
    to: 'src/store/cart/cart.dto.ts',
    type: true,
  },
  'nothing-below-the-app-takes-from-the-demo': { from: 'src/store/cart/cart.service.ts', to: 'src/demo/named.ts' },
  'wings-are-apart': { from: 'src/store/cart/scans.ts', to: 'src/scanning/scans/scans.service.ts' },
  'sql-stays-in-repositories': { from: 'src/scanning/scans/scan-times.service.ts', to: 'src/database/database.ts' },
  'database-packages-stay-in-repositories': { from: 'src/store/cart/cart.pages.ts', to: 'node_modules/pg/index.js' },
  'tables-are-private-to-their-module': {
    from: 'src/scanning/issues/issues.service.ts',
    to: 'src/scanning/scans/scans.repository.ts',
  },
  'deliveries-know-the-tables-of-workflows-alone': {
    from: 'src/scanning/webhook-export/attempts.ts',
    to: 'src/scanning/scans/scans.repository.ts',
  },
  'foreign-keys-lead-to-entities': {
    from: 'src/store/cart/cart.entity.ts',
    to: 'src/store/users/users.repository.ts',
  },
  'controllers-call-services': {
    from: 'src/store/users/users.controller.ts',
    to: 'src/store/users/users.repository.ts',
  },
  'only-the-top-calls-accounts-and-admin': {
    from: 'src/store/users/leave.ts',
    to: 'src/store/accounts/accounts.service.ts',
  },
  'speakeasy-in-one-file': { from: 'src/store/totp/totp.service.ts', to: 'node_modules/speakeasy/index.js' },
  'nodemailer-in-the-mail-floor': { from: 'src/store/users/post.ts', to: 'node_modules/nodemailer/index.js' },
  'opentelemetry-in-the-files-that-say-so': {
    from: 'src/platform/tracing/tracing.ts',
    to: 'node_modules/@opentelemetry/api/index.js',
  },
  'stripe-is-loaded-where-it-is-set': {
    from: 'src/store/payments/manual-gateway.ts',
    to: 'node_modules/stripe/index.js',
  },
  'tracing-is-loaded-where-it-is-set': { from: 'src/cli/service.ts', to: 'src/platform/tracing/otel-tracing.ts' },
  'the-client-stands-upon-the-sdk-alone': {
    from: 'packages/client/src/run.ts',
    to: 'src/store/cart/cart.dto.ts',
    type: true,
  },
  'the-client-loads-a-parser-when-it-parses': {
    from: 'packages/client/src/gate/policy.ts',
    to: 'node_modules/yaml/dist/index.js',
  },
  'the-client-starts-fast': { from: 'packages/client/src/program.ts', to: 'node_modules/typeorm/index.js' },
  'the-service-knows-no-tests-bench-or-scripts': { from: 'src/cli/service.ts', to: 'bench/load.ts' },
  'scripts-know-no-tests': { from: 'scripts/start.ts', to: 'test/support/test-app.ts' },
  'bench-and-tests-are-apart': { from: 'bench/arena.ts', to: 'test/support/test-app.ts' },
  'the-simulation-knows-no-tests': { from: 'simulation/run.ts', to: 'test/support/test-app.ts' },
  'the-model-knows-the-documents-alone': { from: 'simulation/model/index.ts', to: 'src/store/cart/cart.service.ts' },
  'tests-of-the-client-know-the-client-alone': {
    from: 'test/client/usage.test.ts',
    to: 'src/store/cart/cart.service.ts',
  },
  'the-sdk-stands-alone': { from: 'packages/sdk/src/pages.ts', to: 'src/store/cart/cart.dto.ts' },
  'no-development-packages': { from: 'src/main.ts', to: 'node_modules/supertest/index.js' },
};

/** The other half of each cycle in the fixture. */
const halves = [
  { from: 'src/config/other.ts', to: 'src/config/one.ts' },
  { from: 'src/platform/errors/shapes.ts', to: 'src/platform/validation/fields.ts' },
  { from: 'src/platform/validation/read.ts', to: 'src/platform/errors/errors.ts' },
];

let folder: string;
let violations: Violation[];

function importLine({ from, to, type }: { from: string; to: string; type?: boolean }): string {
  const [, scope = '', name = ''] = to.split('/');
  const packageName = scope.startsWith('@') ? `${scope}/${name}` : scope;
  const path = to.startsWith('node_modules/') ? packageName : relative(dirname(from), to).replace(/\.ts$/, '.js');
  const specifier = path?.startsWith('.') || to.startsWith('node_modules/') ? path : `./${path}`;
  return type ? `import type { it } from '${specifier}';\nexport type That = typeof it;\n` : `import '${specifier}';\n`;
}

async function writeFixture(): Promise<void> {
  const imports = [...Object.values(breaches), ...halves].filter(({ from }) => from.endsWith('.ts'));
  const texts = new Map<string, string>();
  for (const one of imports) {
    texts.set(one.from, (texts.get(one.from) ?? '') + (one.from === one.to ? '' : importLine(one)));
    if (one.to.endsWith('.ts')) texts.set(one.to, texts.get(one.to) ?? '');
  }
  for (const [file, text] of texts) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), `${text}export const it = 1;\n`);
  }
  for (const name of ['node_modules', 'package.json', 'tsconfig.json'])
    await symlink(join(root, name), join(folder, name));
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'walls-'));
  await writeFixture();
  const cruiser = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const args = [
    cruiser,
    'src',
    'packages',
    'test',
    'bench',
    'simulation',
    'scripts',
    '--config',
    config,
    '--output-type',
    'json',
  ];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder, maxBuffer: 64 * 2 ** 20 });
  violations = (JSON.parse(stdout) as { summary: { violations: Violation[] } }).summary.violations;
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('The walls', () => {
  it('are each breached by a file of this test', () => {
    expect(Object.keys(breaches).sort()).toEqual(forbidden.map(({ name }) => name).sort());
  });

  it.each(Object.entries(breaches))('holds: %s', (name, { from, to }) => {
    const found = violations.filter(({ rule }) => rule.name === name);
    expect(found).toContainEqual(
      expect.objectContaining({ from, to: expect.stringContaining(to.replace(/index\.js$/, '')) }),
    );
  });
});
