import { Invalid } from '../../platform/errors/invalid.js';
import type { AssetDraft } from '../assets/asset-draft.js';
import { Cuts } from './cuts.js';
import { type JsonHit, JsonReader } from './json/index.js';
import { entriesIn } from './json-findings.js';
import { type NamedPackage, packageOf } from './package-names.js';
import { addressesOf, described, severityBy, vulnerabilityEntry } from './package-findings.js';
import { codeProject, containerImage, repositoryName } from './report-assets.js';
import { compact, type Keeping, ReportRules } from './report-details.js';
import { longest, type Reading, type Report, type ReportBytes, type ReportEntry } from './report-finding.js';
import { ReportRemarks } from './report-remarks.js';
import { type Fields, fieldsOf, firstText, listOf, numberOf, textOf } from './report-text.js';

// Unspecified: how much of a bill of materials is kept to name what a vulnerability affects.
const maxComponents = 200_000;
const maxCharacters = 32 * 2 ** 20;
const mostAffected = 1_000;

/** Components may nest: these are the levels that are read. */
const levels = ['components[]', 'components[].components[]', 'components[].components[].components[]'];
const componentFields = ['bom-ref', 'purl', 'group', 'name', 'version'];
const main = 'metadata.component';
const headerPaths = [
  'bomFormat',
  'specVersion',
  ...['metadata.tools[]', 'metadata.tools.components[]'].map((tool) => `${tool}.name`),
  ...[...componentFields, 'type'].map((field) => `${main}.${field}`),
  `${main}.externalReferences[]`,
  ...levels.flatMap((level) => componentFields.map((field) => `${level}.${field}`)),
];
const list = 'vulnerabilities[]';

/** Everything in a bill of materials that its vulnerabilities refer to. */
class BillHeader {
  readonly main: Fields = {};
  readonly tools: string[] = [];
  hasList = false;
  unread: string[] = [];
  private readonly top: Fields = {};
  private repository = '';
  private readonly packages = new Map<string, NamedPackage>();
  private characters = 0;
  /** The component whose fields are arriving, at each level. */
  private readonly open = new Map<number, { at: string; fields: Fields }>();

  take(hit: JsonHit): void {
    if (hit.path === 'vulnerabilities') this.hasList = true;
    if (hit.kind !== 'value') return;
    const field = String(hit.at.at(-1));
    if (hit.at.length === 1) this.top[field] = hit.value;
    else if (hit.path.startsWith(`${main}.externalReferences`)) this.takeReference(fieldsOf(hit.value));
    else if (hit.path.startsWith(main)) this.main[field] = hit.value;
    else if (hit.path.startsWith('metadata.tools')) this.takeTool(hit.value);
    else this.takeField(hit.at.slice(0, -1), field, hit.value);
  }

  /** Call it once all is taken. */
  end(): void {
    for (const { fields } of this.open.values()) this.keep(fields);
    this.keep(this.main);
    if (this.isFull) {
      this.unread.push(
        `The report has more than ${maxComponents} components: the others are known by their reference alone`,
      );
    }
  }

  /** Throws `Invalid` for anything else. */
  assertBill(): void {
    if (this.top['bomFormat'] === 'CycloneDX') return;
    throw Invalid.at(
      ['body', 'bomFormat'],
      'value_error',
      'This is not CycloneDX JSON: its bomFormat is not "CycloneDX"',
    );
  }

  /** The package of a reference, also in a link to another document (BOM-Link: `urn:cdx:…#ref`). */
  packageOf(ref: string): NamedPackage | null {
    const own = ref.startsWith('urn:cdx:') ? ref.slice(ref.indexOf('#') + 1) : ref;
    return this.packages.get(ref) ?? this.packages.get(own) ?? packageOf({ purl: own, name: own });
  }

  /** The asset of all findings: the repository or image that the bill is of, else the fallback, else its component. */
  assetOf({ asset, fallback }: Reading): AssetDraft | null {
    if (asset) return asset;
    if (this.repository !== '') return codeProject(repositoryName(this.repository));
    const name = [this.main['group'], this.main['name']].map((text) => textOf(text, 500)).filter((text) => text !== '');
    const whole = name.join('/');
    if (this.main['type'] === 'container' && whole !== '') return containerImage(whole);
    if (fallback) return fallback;
    // A path is that of one machine.
    return whole === '' || /^[./\\]|^[a-z]:/i.test(whole) ? null : codeProject(whole);
  }

  private get isFull(): boolean {
    return this.packages.size >= maxComponents || this.characters > maxCharacters;
  }

  private takeTool(name: unknown): void {
    const text = textOf(name, longest.name);
    if (text !== '' && this.tools.length < 10) this.tools.push(text);
  }

  private takeReference({ type, url }: Fields): void {
    if (type === 'vcs' && this.repository === '') this.repository = textOf(url, 500);
  }

  private takeField(place: JsonHit['at'], field: string, value: unknown): void {
    const at = place.join();
    const known = this.open.get(place.length);
    if (known && known.at !== at) this.keep(known.fields);
    const component = known?.at === at ? known : { at, fields: {} as Fields };
    component.fields[field] = value;
    this.open.set(place.length, component);
  }

  private keep(fields: Fields): void {
    const ref = textOf(fields['bom-ref'], longest.identifier);
    if (ref === '' || this.isFull) return;
    const group = textOf(fields['group'], 200);
    const name = textOf(fields['name'], 200);
    const named = packageOf({ ...fields, name: group === '' ? name : `${group}/${name}` });
    if (!named) return;
    this.characters += ref.length + named.key.length + named.name.length;
    this.packages.set(ref, named);
  }
}

/** The order of preference of the methods of a rating. */
const methods = ['CVSSv4', 'CVSSv31', 'CVSSv3', 'CVSSv2'];

function rankOf(rating: Fields): number {
  const rank = methods.indexOf(textOf(rating['method'], 50));
  return rank < 0 ? methods.length : rank;
}

/** The rating of the newest method, of several the one with the highest score. */
function ratingOf(vulnerability: Fields): Fields {
  const ratings = listOf(vulnerability['ratings']).slice(0, 100).map(fieldsOf);
  const score = (rating: Fields): number => numberOf(rating['score']) ?? -1;
  const sorted = ratings.sort((one, other) => rankOf(one) - rankOf(other) || score(other) - score(one));
  return sorted[0] ?? {};
}

/** What the author of the bill found out (VEX): the states that set a finding aside. */
const setAside: Record<string, 'IGNORED' | 'FALSE_POSITIVE'> = {
  false_positive: 'FALSE_POSITIVE',
  not_affected: 'IGNORED',
};
const goneStates = new Set(['resolved', 'resolved_with_pedigree']);

const ofRule = [
  'source',
  'references',
  'advisories',
  'credits',
  'created',
  'published',
  'updated',
  'rejected',
  'ratings',
  'proofOfConcept',
  'detail',
];
const ofFinding = ['bom-ref', 'tools', 'properties'];
const keptElsewhere = new Set(['id', 'cwes', 'description', 'recommendation', 'workaround', 'affects', ...ofRule]);

function pick(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(names.map((name) => [name, fields[name]]));
}

/** Fields that no version of the format has yet are kept, too. */
function others(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !keptElsewhere.has(name)));
}

const unaffected = 'The report says that no version in use is affected';

/** Reads the vulnerabilities of one bill. */
class BillVulnerabilities {
  private readonly asset: AssetDraft | null;

  constructor(
    private readonly header: BillHeader,
    reading: Reading,
    private readonly kept: Keeping,
  ) {
    this.asset = header.assetOf(reading);
  }

  /** One finding for each component that the vulnerability affects. */
  *entriesOf(vulnerability: Fields): Iterable<ReportEntry> {
    const affected = listOf(vulnerability['affects']).map(fieldsOf);
    if (affected.length === 0) yield this.entryOf(vulnerability, {});
    for (const one of affected.slice(0, mostAffected)) yield this.entryOf(vulnerability, one);
    const beyond = affected.length - mostAffected;
    if (beyond > 0)
      yield { skipped: `The vulnerability affects ${beyond} more components than the ${mostAffected} that are read` };
  }

  private entryOf(vulnerability: Fields, affected: Fields): ReportEntry {
    const references = listOf(vulnerability['references']).map((one) => textOf(fieldsOf(one)['id'], 200));
    const id = firstText(longest.identifier, vulnerability['id'], ...references, vulnerability['bom-ref']);
    if (id === '') return { skipped: 'The vulnerability has no id' };
    if (!this.asset) return { skipped: unplaced, unplaced: true };
    const versions = listOf(affected['versions']).map(fieldsOf);
    if (versions.length > 0 && versions.every(({ status }) => status === 'unaffected')) {
      return { skipped: unaffected, isNone: true };
    }
    const analysis = fieldsOf(vulnerability['analysis']);
    const entry = this.read(vulnerability, { id, references, analysis, affected }, this.asset);
    if (!goneStates.has(textOf(analysis['state'], 50)) || !('finding' in entry)) return entry;
    const skipped = `The report says that the vulnerability is ${textOf(analysis['state'], 50)} (analysis.state)`;
    return { skipped, isNone: true, absent: entry.finding };
  }

  private read(
    vulnerability: Fields,
    { id, references, analysis, affected }: { id: string; references: string[]; analysis: Fields; affected: Fields },
    asset: AssetDraft,
  ): ReportEntry {
    const cuts = new Cuts();
    const ref = textOf(affected['ref'], longest.identifier);
    const found = ref === '' ? null : this.header.packageOf(ref);
    const rating = ratingOf(vulnerability);
    const score = numberOf(rating['score']);
    const state = textOf(analysis['state'], 50);
    const status = Object.hasOwn(setAside, state) ? setAside[state] : undefined;
    const advisories = listOf(vulnerability['advisories']).map((one) => fieldsOf(one)['url']);
    const sources = [vulnerability, ...listOf(vulnerability['references']).map(fieldsOf)];
    const addresses = addressesOf(...sources.map(({ source }) => fieldsOf(source)['url']), ...advisories);
    const fix = [vulnerability['recommendation'], vulnerability['workaround']].map((text) =>
      cuts.text(text, 5_000, 'the recommendation'),
    );
    const reason = [analysis['justification'], listOf(analysis['response']).join(', '), analysis['detail']];
    const suppression = compact({
      kind: 'vex',
      status: state,
      justification: reason
        .map((text) => cuts.text(text, 2_000, 'the analysis'))
        .filter((text) => text !== '')
        .join('\n'),
    });
    return vulnerabilityEntry(
      {
        id,
        title: '',
        description: described(cuts, vulnerability['description'], vulnerability['detail']),
        severity: severityBy([rating['severity']], score),
        score,
        package: found,
        file: '',
        aliases: references,
        cwes: listOf(vulnerability['cwes'])
          .slice(0, 100)
          .map((cwe) => numberOf(cwe) ?? 0),
        references: addresses,
        helpUri: firstText(longest.url, fieldsOf(vulnerability['source'])['url'], addresses[0]),
        fix: fix.filter((text) => text !== '').join('\n\n'),
        ...(status ? { status } : {}),
        ...(status ? { suppressions: [suppression] } : {}),
        ofRule: pick(vulnerability, ofRule),
        ofFinding: { ...pick(vulnerability, ofFinding), ...others(vulnerability), affects: affected, analysis },
      },
      asset,
      this.kept,
      cuts,
    );
  }
}

const unplaced = 'The report does not say what it is about: name its asset with the query parameter asset';
const noList =
  'The bill of materials has no list of vulnerabilities: it does not say that anybody looked for them. If this is a ' +
  'clean scan, send allowEmpty=true';

/** Reads the vulnerabilities of a CycloneDX bill of materials or VEX document (https://cyclonedx.org/docs/1.6/json/). */
export async function readCycloneDx(bytes: ReportBytes, reading: Reading): Promise<Report> {
  const header = new BillHeader();
  for await (const hits of new JsonReader({ paths: headerPaths, watched: ['vulnerabilities'] }).read(bytes())) {
    hits.forEach((hit) => header.take(hit));
  }
  header.end();
  header.assertBill();
  const kept = { remarks: new ReportRemarks(), rules: new ReportRules() };
  const vulnerabilities = new BillVulnerabilities(header, reading, kept);
  const asset = header.assetOf(reading);
  return {
    format: 'cyclonedx',
    tools: [
      {
        name: header.tools[0] ?? 'CycloneDX',
        category: '',
        about: asset ? [asset] : [],
        failures: [],
        silence: header.hasList || reading.allowEmpty ? null : noList,
      },
    ],
    ...kept,
    defaultKind: 'ASM_PACKAGE',
    bracketed: true,
    count: null,
    isUnplaced: asset === null,
    unread: header.unread,
    entries: () =>
      entriesIn(bytes, [{ path: list, noun: 'vulnerability', read: (one) => vulnerabilities.entriesOf(one) }]),
  };
}
