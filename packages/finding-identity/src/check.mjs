import { expectations, reportOf } from './expectations.mjs';

/**
 * A finding of a report as the system keeps it: the id of what it became, which is the same for the same finding.
 * @typedef {{ id: string, rule?: string }} KeptFinding
 *
 * What is to be written for another system.
 * @typedef {{
 *   fresh(pair: import('./expectations.mjs').KitPair): Promise<unknown>,
 *   importReport(project: unknown, report: import('./expectations.mjs').KitReport & { format: string, content: Buffer }): Promise<KeptFinding[]>,
 * }} Adapter
 */

async function importAll(adapter, project, pair, reports) {
  const found = new Map();
  for (const report of reports) {
    const kept = await adapter.importReport(project, { ...report, format: pair.format, content: reportOf(report) });
    for (const { id, rule = '' } of kept) found.set(id, rule);
  }
  return found;
}

/** Imports a pair into a project of its own; returns what is wrong, in sentences. @param {Adapter} adapter */
export async function checkPair(adapter, pair) {
  const project = await adapter.fresh(pair);
  const before = await importAll(adapter, project, pair, pair.before);
  const after = await importAll(adapter, project, pair, pair.after);
  const same = [...after.keys()].filter((id) => before.has(id));
  const counts = { same: same.length, new: after.size - same.length, gone: before.size - same.length };
  const wrong = Object.entries(counts).filter(([kind, count]) => count !== pair[kind]);
  const renamed = same.filter(
    (id) =>
      pair.otherRules !== true && before.get(id) !== after.get(id) && before.get(id) !== '' && after.get(id) !== '',
  );
  return [
    ...wrong.map(([kind, count]) => `${count} findings are ${kind}, and ${pair[kind]} should be`),
    ...renamed.map((id) => `${before.get(id)} and ${after.get(id)} are taken for one finding`),
  ];
}

/**
 * Checks a system against all pairs, or those of some formats.
 * @param {Adapter} adapter
 * @param {{ formats?: string[] }} options
 */
export async function check(adapter, { formats } = {}) {
  const results = [];
  for (const pair of expectations()) {
    if (formats && !formats.includes(pair.format)) continue;
    results.push({ format: pair.format, name: pair.name, about: pair.about, faults: await checkPair(adapter, pair) });
  }
  return results;
}
