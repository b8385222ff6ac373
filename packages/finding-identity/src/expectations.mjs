import { readFileSync } from 'node:fs';

const folder = new URL('../reports/', import.meta.url);

/**
 * A report of a pair.
 * @typedef {{ file: string, root?: string, asset: string, mapping?: object }} KitReport
 *
 * Two sets of reports of one scanner, in the order in which they are imported, and how many findings they have in common;
 * `otherRules` where their rules have other ids.
 * @typedef {{
 *   format: string, name: string, about: string, before: KitReport[], after: KitReport[],
 *   same: number, new: number, gone: number,
 *   otherRules?: true,
 * }} KitPair
 */

/** All pairs, as `expectations.json` has them. @returns {KitPair[]} */
export function expectations() {
  return JSON.parse(readFileSync(new URL('../expectations.json', import.meta.url), 'utf8')).pairs;
}

/** The bytes of a report. @param {KitReport} report */
export function reportOf({ file }) {
  return readFileSync(new URL(file, folder));
}
