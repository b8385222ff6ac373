import { randomBytes } from 'node:crypto';
import pg from 'pg';

async function run(url, ...statements) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const results = [];
    for (const statement of statements) results.push((await client.query(statement)).rows);
    return results;
  } finally {
    await client.end();
  }
}

const at = (url, database) => Object.assign(new URL(url), { pathname: `/${database}` }).href;

/** The URLs of a cluster's servers, the coordinator first, without a database. */
async function serversOf(coordinator) {
  const [nodes] = await run(
    at(coordinator, 'postgres'),
    'SELECT nodename AS host, nodeport AS port, groupid FROM pg_dist_node ORDER BY groupid',
  );
  return nodes.map(({ host, port, groupid }) => {
    const url = new URL(coordinator);
    if (groupid > 0) Object.assign(url, { hostname: host, port: String(port) });
    return { url: url.href, host, port };
  });
}

/** A migrated database on all servers of a Citus cluster, with its tables distributed: each test file clones it on each server. Another one has them undistributed. */
export async function prepareCitus(coordinator) {
  const { migrate } = await import('../../src/database/migrate.ts');
  const { distribute } = await import('../../src/database/distribution/distribute.ts');
  const template = `template_store_${randomBytes(4).toString('hex')}`;
  const servers = await serversOf(coordinator);
  for (const { url } of servers) {
    await run(at(url, 'postgres'), `CREATE DATABASE ${template}`);
    await run(at(url, template), 'CREATE EXTENSION IF NOT EXISTS citus');
  }
  const [first, ...workers] = servers;
  await run(
    at(first.url, template),
    `SELECT citus_set_coordinator_host('${first.host}', ${first.port})`,
    ...workers.map(({ host, port }) => `SELECT citus_add_node('${host}', ${port})`),
  );
  await migrate(at(first.url, template));
  const plain = `${template}_plain`;
  for (const { url } of servers) await clone(at(url, 'postgres'), template, plain);
  await distribute({ DATABASE_URL: at(first.url, template) }, ['--shards', '4']);
  process.env.TEST_CITUS_SERVERS = JSON.stringify(servers.map(({ url }) => url));
  process.env.TEST_TEMPLATE = template;
  process.env.TEST_PLAIN_TEMPLATE = plain;
  process.env.TEST_SERVER_URL = new URL(coordinator).href.replace(/\/[^/]*$/, '');
  globalThis.testServer = { server: { stop: () => drop(servers, [template, plain]) } };
}

const objectInUse = '55006';

/** The maintenance daemon of Citus comes back to the template: it is ended before each attempt. */
async function clone(url, template, name) {
  const others = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${template}'`;
  for (let attempt = 1; ; attempt++) {
    try {
      await run(url, others, `CREATE DATABASE ${name} TEMPLATE ${template}`);
      return;
    } catch (error) {
      if (error.code !== objectInUse || attempt === 60) throw error;
    }
  }
}

async function drop(servers, templates) {
  for (const { url } of servers) {
    await run(at(url, 'postgres'), ...templates.map((name) => `DROP DATABASE ${name} WITH (FORCE)`));
  }
}
