import { Invalid } from '../../platform/errors/invalid.js';
import type { AssetDraft } from '../assets/asset-draft.js';
import { type JsonHit, JsonReader } from './json/index.js';
import { entriesIn, type JsonList } from './json-findings.js';
import { codeProject, containerImage, repositoryName, webUrlOf } from './report-assets.js';
import { ReportRules } from './report-details.js';
import type { Reading, Report, ReportBytes } from './report-finding.js';
import { ReportRemarks } from './report-remarks.js';
import { type Fields, textOf } from './report-text.js';
import { TrivyFindings } from './trivy-findings.js';

// Unspecified: how many targets of a report are read.
const maxResults = 50_000;

const topFields = ['SchemaVersion', 'ArtifactName', 'ArtifactType', 'Metadata.RepoTags[]', 'Metadata.RepoURL'];
const resultFields = ['Target', 'Class', 'Type'];
const headerPaths = [...topFields, ...resultFields.map((field) => `Results[].${field}`)];

/** Everything in a report beside its findings. */
class TrivyHeader {
  /** What each element of `Results` is about. */
  readonly results: Fields[] = [];
  hasResults = false;
  private readonly top: Fields = {};

  take(hit: JsonHit): void {
    if (hit.path === 'Results') this.hasResults = true;
    if (hit.kind !== 'value') return;
    const index = hit.at[1];
    if (hit.at[0] === 'Results' && typeof index === 'number') {
      if (index < maxResults) (this.results[index] ??= {})[String(hit.at[2])] = hit.value;
    } else this.top[hit.path] ??= hit.value;
  }

  get type(): string {
    return textOf(this.top['ArtifactType'], 50);
  }

  assertTrivy(): void {
    const isTrivy = typeof this.top['SchemaVersion'] === 'number' && typeof this.top['ArtifactName'] === 'string';
    if (isTrivy) return;
    const sentence = 'This is not Trivy’s JSON: it has no SchemaVersion and ArtifactName';
    throw Invalid.at(['body', 'SchemaVersion'], 'missing', sentence);
  }

  /** The image or repository that was scanned; a folder names neither. */
  assetOf({ asset, fallback }: Reading): AssetDraft | null {
    if (asset) return asset;
    const name = textOf(this.top['ArtifactName'], 500);
    const repository = textOf(this.top['Metadata.RepoURL'], 500) || (webUrlOf(name) ? name : '');
    if (repository !== '') return codeProject(repositoryName(repository));
    const image = textOf(this.top['Metadata.RepoTags[]'], 500) || name;
    if (this.type === 'container_image' && image !== '') return containerImage(image);
    return fallback;
  }
}

const noResults =
  'The report has no results: Trivy found nothing that it could scan. If this is a clean scan, send allowEmpty=true';

/** Reads Trivy's own JSON (https://trivy.dev/latest/docs/configuration/reporting/#json). `Invalid` for anything else. */
export async function readTrivy(bytes: ReportBytes, reading: Reading): Promise<Report> {
  const header = new TrivyHeader();
  for await (const hits of new JsonReader({ paths: headerPaths }).read(bytes()))
    hits.forEach((hit) => header.take(hit));
  header.assertTrivy();
  const asset = header.assetOf(reading);
  const kept = { remarks: new ReportRemarks(), rules: new ReportRules() };
  const findings = new TrivyFindings(asset, reading.roots, kept);
  const listOfKind = (field: string, noun: string, kind: Parameters<TrivyFindings['entryOf']>[0]): JsonList => ({
    path: `Results[].${field}[]`,
    noun,
    *read(element, at) {
      const index = Number(at[1]);
      if (index < maxResults) yield findings.entryOf(kind, element, header.results[index] ?? {});
      else yield { skipped: `The report has more than ${maxResults} results` };
    },
  });
  const lists = [
    listOfKind('Vulnerabilities', 'vulnerability', 'vulnerability'),
    listOfKind('Misconfigurations', 'misconfiguration', 'misconfiguration'),
    listOfKind('Secrets', 'secret', 'secret'),
    listOfKind('Licenses', 'license', 'license'),
    listOfKind('ExperimentalModifiedFindings', 'modified finding', 'modified'),
  ];
  return {
    format: 'trivy-json',
    tools: [
      {
        name: 'Trivy',
        category: '',
        about: asset ? [asset] : [],
        failures: [],
        silence: header.hasResults || reading.allowEmpty ? null : noResults,
      },
    ],
    ...kept,
    defaultKind: header.type === 'container_image' ? 'ASM_SOFTWARE' : 'ASM_CODE_PROJECT',
    bracketed: true,
    count: null,
    isUnplaced: asset === null,
    unread: [],
    entries: () => entriesIn(bytes, lists),
  };
}
