import type { MakeWriter } from './export-formats.js';

/** One JSON object a line. */
export const jsonlExport: MakeWriter = ({ linkTo }) => ({
  head: () => '',
  issue: ({ settledAt, settledBy, why, assetId, assetName, assetUri, rule, ruleName, ruleHelp, ...row }) => {
    const asset = { id: assetId, name: assetName, uri: assetUri };
    const ofRule = { id: rule, name: ruleName, helpUri: ruleHelp };
    const object = { ...row, rule: ofRule, asset, resolvedAt: settledAt, by: settledBy, why, url: linkTo(row.id) };
    return `${JSON.stringify(object)}\n`;
  },
  tail: () => '',
});
