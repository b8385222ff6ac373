import type { FindingDetail, FoundEvidence, FoundFix, FoundPlace } from '../issues/finding-detail.js';
import type { StepType } from '../issues/issue-detail.dto.js';
import type { Cuts } from './cuts.js';
import { bagOf, compact, identifiersIn, textsIn } from './report-details.js';
import type { Kept } from './report-remarks.js';
import { type Fields, fieldsOf, listOf, numberOf, textOf } from './report-text.js';
import type { SarifFiles } from './sarif-files.js';
import { lineOf, logicalName, toPlace } from './sarif-locations.js';
import { scoreOf, type SarifRule } from './sarif-rules.js';

// Unspecified: how many parts of a result are kept as evidence.
const most = { locations: 20, flows: 5, steps: 100, related: 50, stacks: 5, fixes: 5, changes: 20, few: 20, tags: 100 };
const maxText = 2_000;
const maxMarkdown = 8_000;

const message: Kept = { text: true, markdown: true, id: true, arguments: true };
const artifact: Kept = { uri: true, uriBaseId: true, index: true };
const region: Kept = {
  startLine: true,
  endLine: true,
  startColumn: true,
  endColumn: true,
  sourceLanguage: true,
  snippet: { text: true },
};
const location: Kept = {
  id: true,
  message: { text: true },
  physicalLocation: { artifactLocation: artifact, region, contextRegion: { snippet: { text: true }, startLine: true } },
  logicalLocations: { name: true, fullyQualifiedName: true },
};
const traffic: Kept = { headers: true, body: { text: true }, protocol: true, version: true };

/** The parts of a result that are kept, or used for something that is. */
export const keptOfResult: Kept = {
  ruleId: true,
  ruleIndex: true,
  rule: { id: true, index: true, guid: true, toolComponent: { name: true, index: true, guid: true } },
  kind: true,
  level: true,
  message,
  analysisTarget: artifact,
  locations: location,
  guid: true,
  correlationGuid: true,
  occurrenceCount: true,
  fingerprints: true,
  partialFingerprints: true,
  codeFlows: { message, threadFlows: { id: true, message, locations: { location } } },
  stacks: { message, frames: { location } },
  relatedLocations: location,
  suppressions: { kind: true, status: true, justification: true, guid: true },
  baselineState: true,
  rank: true,
  workItemUris: true,
  hostedViewerUri: true,
  fixes: {
    description: { text: true, markdown: true },
    artifactChanges: {
      artifactLocation: artifact,
      replacements: { deletedRegion: region, insertedContent: { text: true } },
    },
  },
  taxa: { id: true, index: true, guid: true, toolComponent: { name: true, index: true, guid: true } },
  webRequest: { ...traffic, method: true, target: true },
  webResponse: { ...traffic, statusCode: true },
  properties: true,
};

function said(value: unknown, cuts: Cuts): string {
  const { text, markdown } = fieldsOf(value);
  return cuts.firstText(maxText, 'a message beside the first', text, markdown);
}

function toStep(value: unknown, files: SarifFiles, cuts: Cuts): FoundPlace {
  const given = fieldsOf(value);
  const physical = fieldsOf(given['physicalLocation']);
  const at = fieldsOf(physical['region']);
  const [place] = toPlace(value, files, cuts);
  const around = fieldsOf(fieldsOf(physical['contextRegion'])['snippet'])['text'];
  const own = fieldsOf(at['snippet'])['text'];
  const name = logicalName(given);
  return compact<FoundPlace>({
    ...(place?.kind === 'page' ? { url: place.address } : {}),
    ...(place?.kind === 'file' && place.address !== name ? { path: place.address } : {}),
    ...lineOf('startLine', at),
    ...lineOf('endLine', at),
    ...lineOf('startColumn', at),
    ...lineOf('endColumn', at),
    name,
    message: said(given['message'], cuts),
    snippet: cuts.code(own, maxText, 'a snippet'),
    ...(own === undefined || around === own ? {} : { context: cuts.code(around, maxText, 'a snippet') }),
  });
}

function stepsOf(values: unknown, max: number, what: string, files: SarifFiles, cuts: Cuts): FoundPlace[] {
  const steps = cuts.list(listOf(values), max, what).map((value) => toStep(value, files, cuts));
  return steps.filter((step) => Object.keys(step).length > 0);
}

function evidenceOf(result: Fields, files: SarifFiles, cuts: Cuts): FoundEvidence[] {
  const toEvidence = (type: StepType, about: string, steps: FoundPlace[]): FoundEvidence[] =>
    steps.length === 0 ? [] : [compact<FoundEvidence>({ type, message: about, steps })];
  const flows = listOf(result['codeFlows']).flatMap((value) => {
    const flow = fieldsOf(value);
    return listOf(flow['threadFlows']).map((thread) => ({ about: flow['message'], thread: fieldsOf(thread) }));
  });
  const stacks = cuts.list(listOf(result['stacks']).map(fieldsOf), most.stacks, 'stacks');
  const located = (value: unknown) => fieldsOf(value)['location'];
  const related = stepsOf(result['relatedLocations'], most.related, 'related locations', files, cuts);
  return [
    ...cuts.list(flows, most.flows, 'code flows').flatMap(({ about, thread }) => {
      const steps = listOf(thread['locations']).map(located);
      const text = [said(about, cuts), said(thread['message'], cuts), textOf(thread['id'], 200)];
      return toEvidence(
        'FLOW',
        text.filter((one) => one !== '').join('\n'),
        stepsOf(steps, most.steps, 'steps of a code flow', files, cuts),
      );
    }),
    ...stacks.flatMap((stack) => {
      const frames = listOf(stack['frames']).map(located);
      return toEvidence('STACK', said(stack['message'], cuts), stepsOf(frames, most.steps, 'frames', files, cuts));
    }),
    ...toEvidence('RELATED', '', related),
  ];
}

function fixesOf(result: Fields, files: SarifFiles, cuts: Cuts): FoundFix[] {
  return cuts.list(listOf(result['fixes']).map(fieldsOf), most.fixes, 'fixes').map((fix) => {
    const changes = listOf(fix['artifactChanges'])
      .map(fieldsOf)
      .flatMap(({ artifactLocation, replacements }) =>
        listOf(replacements).map((one) => ({ artifactLocation, one: fieldsOf(one) })),
      );
    return compact<FoundFix>({
      description: said(fix['description'], cuts),
      changes: cuts.list(changes, most.changes, 'changes of a fix').map(({ artifactLocation, one }) => {
        const { path } = toStep({ physicalLocation: { artifactLocation } }, files, cuts);
        const at = fieldsOf(one['deletedRegion']);
        return compact({
          ...(path === undefined ? {} : { path }),
          ...lineOf('startLine', at),
          ...lineOf('endLine', at),
          ...lineOf('startColumn', at),
          ...lineOf('endColumn', at),
          inserted: cuts.code(fieldsOf(one['insertedContent'])['text'], maxText, 'what a fix inserts'),
        });
      }),
    });
  });
}

/** What SARIF itself lets a result say, beside what has a field of its own. */
const furtherFields = [
  'level',
  'kind',
  'guid',
  'correlationGuid',
  'occurrenceCount',
  'baselineState',
  'hostedViewerUri',
  'workItemUris',
  'fingerprints',
  'partialFingerprints',
];

function propertiesOf(result: Fields, cuts: Cuts): Record<string, unknown> | undefined {
  const { tags: _tags, ...own } = fieldsOf(result['properties']);
  const further = Object.fromEntries(furtherFields.map((field) => [field, result[field]]));
  const sarif = bagOf(further, 'the field', cuts);
  return bagOf({ ...own, ...(sarif ? { sarif } : {}) }, 'the property', cuts);
}

/** What a result says beyond what every issue has. */
export function detailOf(
  result: Fields,
  rule: SarifRule | undefined,
  about: { message: string; cwes: number[]; id: string },
  files: SarifFiles,
  cuts: Cuts,
): FindingDetail {
  const own = fieldsOf(result['properties']);
  const tags = listOf(own['tags']).flatMap((tag) => textOf(tag, 200) || []);
  const taxa = listOf(result['taxa']).flatMap((taxon) => textOf(fieldsOf(taxon)['id'], 200) || []);
  const named = [about.id, ...tags, ...taxa, ...textsIn(own)];
  const suppressions = listOf(result['suppressions']).map((value) => {
    const { kind, status, justification, guid } = fieldsOf(value);
    const reason = [cuts.text(justification, maxText, 'a justification'), textOf(guid, 100)];
    return compact({
      kind: textOf(kind, 100),
      status: textOf(status, 100),
      justification: reason.filter((text) => text !== '').join('\n'),
    });
  });
  const { markdown, text } = fieldsOf(result['message']);
  const inMarkdown = typeof text === 'string' && text !== '' ? cuts.text(markdown, maxMarkdown, 'the message') : '';
  const score = scoreOf(own) ?? rule?.score;
  const rank = numberOf(result['rank']);
  const properties = { ...propertiesOf(result, cuts), ...(inMarkdown === '' ? {} : { markdown: inMarkdown }) };
  return compact<FindingDetail>({
    message: cuts.shortened(about.message, maxMarkdown, 'the message'),
    identifiers: identifiersIn(named, about.cwes, cuts, rule?.identifiers),
    tags: cuts.list([...new Set([...tags, ...taxa])], most.tags, 'tags'),
    ...(score === undefined || score === null ? {} : { score }),
    ...(rank === null || rank < 0 ? {} : { rank }),
    locations: stepsOf(result['locations'], most.locations, 'locations in full', files, cuts),
    evidence: evidenceOf(result, files, cuts),
    fixes: fixesOf(result, files, cuts),
    suppressions: cuts.list(suppressions, most.few, 'suppressions'),
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
  });
}
