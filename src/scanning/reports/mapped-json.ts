import { Invalid } from '../../platform/errors/invalid.js';
import type { AssetDraft } from '../assets/asset-draft.js';
import { CodeFindings } from './code-findings.js';
import { cwesIn } from './cwe-category.js';
import { Cuts } from './cuts.js';
import { JsonReader } from './json/index.js';
import { entriesIn } from './json-findings.js';
import { addressesOf, described, severityOfWord } from './package-findings.js';
import { frontendAt, webUrlOf } from './report-assets.js';
import { type Keeping, ReportRules } from './report-details.js';
import { longest, type Reading, type Report, type ReportBytes, type ReportEntry } from './report-finding.js';
import type { MappedField, ReportMapping } from './report-mapping.js';
import { ReportRemarks } from './report-remarks.js';
import { canonicalJson, type Fields, fieldsOf, listOf, numberOf, textOf } from './report-text.js';
import type { IssueSeverity } from '../vocabulary.js';

const mostValues = 100;
const maxText = 5_000;

/** The values at a path within an element; lists on the way are transparent. */
function valuesAt(element: unknown, steps: readonly string[]): unknown[] {
  let values: unknown[] = [element];
  for (const step of steps) {
    values = values
      .flatMap((value) => listOf(value))
      .slice(0, mostValues)
      .flatMap((value) => {
        const fields = fieldsOf(value);
        return Object.hasOwn(fields, step) ? [fields[step]] : [];
      });
  }
  return values.flatMap((value) => listOf(value)).slice(0, mostValues);
}

/** Reads the elements of a list as a mapping says. */
class MappedFindings {
  private readonly code: CodeFindings;

  constructor(
    private readonly mapping: ReportMapping,
    private readonly reading: Reading,
    kept: Keeping,
  ) {
    this.code = new CodeFindings(reading.roots, kept);
  }

  entryOf(element: Fields): ReportEntry {
    const cuts = new Cuts();
    const name = this.text(element, 'name', longest.name) || this.text(element, 'rule', longest.name);
    if (name === '') return { skipped: 'The finding has neither a name nor a rule where the mapping says' };
    const url = this.text(element, 'url', longest.url);
    const asset = this.assetOf(url);
    if (!asset) return { skipped: unplaced, unplaced: true };
    const rule = this.text(element, 'rule', longest.identifier) || name;
    const description = described(cuts, this.text(element, 'description', 2 * maxText));
    const identifiers = this.values(element, 'identifiers').map((one) => textOf(one, 500));
    const own = this.values(element, 'fingerprint');
    return this.code.entryOf(
      {
        rule: {
          id: rule,
          title: name,
          description: '',
          help: cuts.text(this.text(element, 'help', 2 * maxText), maxText, 'the help'),
          helpUri: '',
          references: addressesOf(identifiers.filter((one) => /^https?:/i.test(one))),
        },
        name,
        message: description,
        severity: this.severityOf(element),
        aliases: identifiers,
        cwes: identifiers.flatMap(cwesIn),
        score: numberOf(this.values(element, 'score')[0]),
        file: this.text(element, 'path', longest.path),
        url,
        startLine: this.values(element, 'line')[0],
        endLine: undefined,
        inside: '',
        snippet: '',
        snippetLine: undefined,
        fix: cuts.text(this.text(element, 'fix', 2 * maxText), maxText, 'the fix'),
        print: own.length > 0 ? canonicalJson(own).slice(0, longest.context) : description,
        ofRule: {},
        ofFinding: element,
      },
      asset,
      cuts,
    );
  }

  private assetOf(url: string): AssetDraft | null {
    const { asset, fallback } = this.reading;
    const page = webUrlOf(url);
    return asset ?? (page ? frontendAt(page) : null) ?? fallback;
  }

  private severityOf(element: Fields): IssueSeverity {
    const [given] = this.values(element, 'severity');
    const word = textOf(given, 100).toLowerCase();
    return this.mapping.severities.get(word) ?? severityOfWord(word) ?? this.mapping.otherwise;
  }

  /** The values at the first path of a field that has some. */
  private values(element: Fields, field: MappedField): unknown[] {
    for (const steps of this.mapping.fields.get(field) ?? []) {
      const values = valuesAt(element, steps).filter((value) => value !== '' && value !== null);
      if (values.length > 0) return values;
    }
    return [];
  }

  private text(element: Fields, field: MappedField, maxLength: number): string {
    return textOf(this.values(element, field)[0], maxLength);
  }
}

const unplaced = 'The finding has no address of a page: name its asset with the query parameter asset';

/** Reads any JSON report as the mapping that was sent with it says. `Invalid` for a report without the mapped list. */
export async function readMappedJson(bytes: ReportBytes, reading: Reading): Promise<Report> {
  const { mapping } = reading;
  if (!mapping) {
    const sentence = 'The format mapped-json needs a mapping, which says where the findings are: see docs/scans.md';
    throw Invalid.at(['query', 'mapping'], 'missing', sentence);
  }
  const list = mapping.findings.slice(0, -2);
  let hasList = false;
  for await (const hits of new JsonReader({ paths: [], watched: [mapping.findings] }).read(bytes())) {
    hasList ||= hits.some(({ path, kind }) => path === list && kind === 'array');
  }
  if (!hasList) {
    const sentence = `The report has no list at ${list || 'its top'}, where the mapping looks for findings`;
    throw Invalid.at(['query', 'mapping', 'findings'], 'value_error', sentence);
  }
  const kept = { remarks: new ReportRemarks(), rules: new ReportRules() };
  const { asset } = reading;
  return {
    format: 'mapped-json',
    tools: [{ name: mapping.tool, category: '', about: asset ? [asset] : [], failures: [], silence: null }],
    ...kept,
    defaultKind: 'ASM_SOFTWARE',
    bracketed: true,
    count: null,
    isUnplaced: false,
    unread: [],
    entries: () => {
      const findings = new MappedFindings(mapping, reading, kept);
      return entriesIn(bytes, [
        { path: mapping.findings, noun: 'finding', read: (element) => [findings.entryOf(element)] },
      ]);
    },
  };
}
