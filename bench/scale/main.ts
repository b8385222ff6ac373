import { Arena } from '../arena.js';
import { citus } from './citus.js';
import { clocksApart } from './clocks-apart.js';
import { diskFull, logFull } from './disk-full.js';
import { failover } from './failover.js';
import { eventSizes, manyEvents } from './many-events.js';
import { nodesKilled } from './nodes-killed.js';
import { otherNode } from './other-node.js';
import { patroni } from './patroni.js';
import { poolerRestarted } from './pooler-restarted.js';
import { rollingRestart } from './rolling-restart.js';
import { rollingUpgrade } from './rolling-upgrade.js';
import { rowSizes } from './row-sizes.js';
import { s3Away } from './s3-away.js';

/** What is tried on several nodes: `npm run bench -- scale [name ...]`. */
const simulations: Record<string, (arena: Arena) => Promise<string[]>> = {
  'rolling-restart': rollingRestart,
  'rolling-upgrade': rollingUpgrade,
  'nodes-killed': nodesKilled,
  'pooler-restarted': poolerRestarted,
  'other-node': otherNode,
  'clocks-apart': clocksApart,
  's3-away': s3Away,
  'disk-full': diskFull,
  'log-full': logFull,
  failover,
  patroni,
  'many-events': manyEvents,
  'row-sizes': rowSizes,
  citus,
};

const asked = process.argv.slice(3);
const names = asked.length > 0 ? asked : Object.keys(simulations);
try {
  for (const name of names) {
    const simulation = simulations[name];
    if (!simulation) throw new Error(`There is no ${name}: choose of ${Object.keys(simulations).join(', ')}`);
    console.log(`${name} ...`);
    const arena = await Arena.open({ sizes: eventSizes(), server: {} });
    try {
      for (const line of await simulation(arena)) console.log(`  ${line}`);
    } finally {
      await arena.close();
    }
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
