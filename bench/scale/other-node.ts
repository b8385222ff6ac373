import { setTimeout as sleep } from 'node:timers/promises';
import type { Arena } from '../arena.js';
import { ClusterNode } from './cluster.js';
import { Pooler } from './pooler.js';

const changes = 50;
const path = '/api/v1/products/1';
/** So that other nodes hold the answer in memory for longer than they take to show the change. */
const patienceMs = 60_000;

async function nameAt(node: ClusterNode): Promise<string> {
  const response = await fetch(node.baseUrl + path);
  return ((await response.json()) as { name: string }).name;
}

/** How long after the answer to a change another node shows it. */
async function delayOf(name: string, one: ClusterNode, other: ClusterNode): Promise<number> {
  await nameAt(other);
  const headers = { 'content-type': 'application/json' };
  const { status } = await fetch(one.baseUrl + path, { method: 'PUT', headers, body: JSON.stringify({ name }) });
  if (status !== 200) throw new Error(`The change of a product was answered by ${status}`);
  const answeredAt = performance.now();
  while ((await nameAt(other)) !== name) {
    if (performance.now() - answeredAt > patienceMs) throw new Error('The other node does not show the change');
    await sleep(1);
  }
  return performance.now() - answeredAt;
}

/** How soon another node behind the pooler shows what one of them changed. */
export async function otherNode(arena: Arena): Promise<string[]> {
  await arena.database('shop');
  const pooler = await Pooler.before(arena.urlOf('shop'), arena.folder);
  const settings = { DATABASE_URL: pooler.url, DATABASE_URL_DIRECT: arena.urlOf('shop') };
  const [one, other] = [
    await ClusterNode.on(pooler.url, arena.folder, settings),
    await ClusterNode.on(pooler.url, arena.folder, settings),
  ];
  try {
    await pooler.start();
    await one.start();
    await other.start();
    const delays: number[] = [];
    for (let change = 1; change <= changes; change++) delays.push(await delayOf(`Version ${change}`, one, other));
    const [least, median, most] = [0, 0.5, 1].map(
      (share) => delays.sort((a, b) => a - b)[Math.floor(share * (changes - 1))],
    );
    return [
      `another node shows a change after ${least?.toFixed(0)} ms at least, ${median?.toFixed(0)} in the median, ${most?.toFixed(0)} at most`,
    ];
  } finally {
    await one.stop();
    await other.stop();
    await pooler.stop();
  }
}
