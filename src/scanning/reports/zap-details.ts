import type { FindingDetail, FindingRule, FoundIdentifier } from '../issues/finding-detail.js';
import type { Cuts } from './cuts.js';
import { bagOf, compact, identifiersIn } from './report-details.js';
import { longest } from './report-finding.js';
import type { Kept } from './report-remarks.js';
import { type Fields, fieldsOf, listOf, numberOf, plainText, textOf } from './report-text.js';

const maxText = 5_000;
const maxList = 100;
const maxLocations = 20;

/** The fields of an alert that are kept elsewhere; all others are kept as properties. */
const keptElsewhere = new Set([
  'name',
  'alert',
  'desc',
  'solution',
  'otherinfo',
  'reference',
  'instances',
  'tags',
  'uri',
  'url',
  'request-header',
  'request-body',
  'response-header',
  'response-body',
  'requestheader',
  'requestbody',
  'responseheader',
  'responsebody',
]);

const traffic: Kept = {
  'request-header': true,
  'request-body': true,
  'response-header': true,
  'response-body': true,
  requestheader: true,
  requestbody: true,
  responseheader: true,
  responsebody: true,
};

/** The parts of an alert's pages that are kept. */
export const keptOfAlert: Kept = {
  instances: {
    uri: true,
    url: true,
    method: true,
    param: true,
    attack: true,
    evidence: true,
    otherinfo: true,
    ...traffic,
  },
};

interface ZapTag {
  tag: string;
  link: string;
}

/** Tags are objects in JSON, and elements within one in XML. */
function tagsOf(alert: Fields): ZapTag[] {
  return listOf(alert['tags'])
    .flatMap((one) => listOf(fieldsOf(one)['tag']).flatMap((tag) => (typeof tag === 'object' ? tag : one)))
    .flatMap((one) => {
      const { tag, link } = fieldsOf(one);
      const text = textOf(tag, 200);
      return text === '' ? [] : [{ tag: text, link: textOf(link, longest.url) }];
    });
}

/** The test of an alert. */
export function ruleOf(alert: Fields, id: string, cuts: Cuts): FindingRule {
  const tags = tagsOf(alert);
  const text = (field: string): string => cuts.shortened(plainText(alert[field], 4 * maxText), maxText, `the ${field}`);
  const references = text('reference')
    .split('\n')
    .concat(tags.map(({ link }) => link));
  const distinct = [...new Set(references.map((one) => one.trim()).filter((one) => one !== ''))];
  return compact<FindingRule>({
    id,
    name: plainText(alert['name'] ?? alert['alert'], longest.name),
    description: text('desc'),
    help: text('solution'),
    helpUri: distinct.find((one) => /^https?:\/\//i.test(one)) ?? '',
    references: cuts.list(distinct, maxList, 'references'),
    tags: cuts.list(
      tags.map(({ tag }) => tag),
      maxList,
      'tags',
    ),
  });
}

function identifiersOf(alert: Fields, tags: ZapTag[], cuts: Cuts): FoundIdentifier[] {
  const wasc = numberOf(alert['wascid']) ?? 0;
  return identifiersIn(
    tags.map(({ tag }) => tag),
    [numberOf(alert['cweid']) ?? 0],
    cuts,
    wasc > 0 ? [{ type: 'WASC', value: `WASC-${wasc}` }] : [],
  );
}

/** What an alert says beyond what every issue has; `places` are its pages, each with what is said of it. */
export function detailOf(alert: Fields, places: { url: string; message: string }[], cuts: Cuts): FindingDetail {
  const properties = bagOf(
    Object.fromEntries(Object.entries(alert).filter(([name]) => !keptElsewhere.has(name))),
    'the property',
    cuts,
  );
  const solution = plainText(alert['solution'], maxText);
  return compact<FindingDetail>({
    identifiers: identifiersOf(alert, tagsOf(alert), cuts),
    locations: places.slice(0, maxLocations).map(compact),
    fixes: solution === '' ? [] : [{ description: solution, changes: [] }],
    ...(properties ? { properties } : {}),
  });
}
