/** The bytes of a report by which it is identified. */
export const startBytes = 8 * 1024;

/** File signatures (https://www.garykessler.net/library/file_sigs.html). */
const signatures: [string, string][] = [
  ['504b0304', 'a ZIP archive'],
  ['28b52ffd', 'Zstandard'],
  ['fd377a585a00', 'XZ'],
  ['425a68', 'bzip2'],
  ['377abcaf271c', 'a 7-Zip archive'],
  ['25504446', 'a PDF'],
  ['89504e47', 'a picture'],
  ['ffd8ff', 'a picture'],
  ['53514c69746520666f726d6174', 'an SQLite database'],
];

const roots: Record<string, string> = {
  testsuites: 'JUnit XML',
  testsuite: 'JUnit XML',
  html: 'an HTML page',
  checkstyle: 'Checkstyle XML',
  nmaprun: 'Nmap XML',
  issues: 'Android Lint’s XML (it writes SARIF with sarifReport in lintOptions)',
  BugCollection: 'SpotBugs XML',
  NessusClientData_v2: 'a Nessus report',
  pmd: 'PMD XML',
  niktoscan: 'Nikto XML',
  TestRun: 'a test run of Visual Studio (TRX)',
  coverage: 'Cobertura XML',
  bom: 'CycloneDX XML (convert it with cyclonedx convert --output-format json)',
  rss: 'a feed',
};

/** Keys that together identify a tool's own JSON, and how that tool writes an accepted format. */
const ownJson: [string[], string][] = [
  [['"check_id"', '"results"'], 'Semgrep’s own JSON (it writes SARIF with --sarif)'],
  [['"check_type"', '"results"'], 'Checkov’s own JSON (it writes SARIF with -o sarif)'],
  [['"RuleID"', '"Fingerprint"'], 'Gitleaks’ own JSON (it writes SARIF with --report-format sarif)'],
  [['"filePath"', '"messages"'], 'ESLint’s own JSON (it writes SARIF with @microsoft/eslint-formatter-sarif)'],
  [['"vulnerabilities"', '"packageManager"'], 'Snyk’s own JSON (it writes SARIF with --sarif)'],
  [['"matches"', '"descriptor"'], 'Grype’s own JSON (it writes SARIF with -o sarif)'],
  [['"test_id"', '"results"'], 'Bandit’s own JSON (it writes SARIF with -f sarif)'],
  [['"ClusterName"', '"Resources"'], 'Trivy’s report of a cluster (scan its images one by one with --format json)'],
  [['"error"', '"summary"'], 'the error of an npm audit that did not run (read its summary, and run it again)'],
  [['"spdxVersion"'], 'an SPDX bill of materials'],
];

/** The position after the next `close`. */
function behind(text: string, from: number, close: string): number {
  const end = text.indexOf(close, from);
  return end < 0 ? text.length : end + close.length;
}

/** The name of the root element; empty if the text is not XML. */
export function xmlRootOf(start: string): string {
  let at = 0;
  for (;;) {
    while (at < start.length && /\s/.test(start.charAt(at))) at++;
    if (start.startsWith('<?', at)) at = behind(start, at, '?>');
    else if (start.startsWith('<!--', at)) at = behind(start, at, '-->');
    else if (start.startsWith('<!', at)) at = behind(start, at, '>');
    // The end of a document type with declarations.
    else if (start.startsWith(']', at)) at = behind(start, at, '>');
    else break;
  }
  return /^<([\p{L}_][\p{L}\p{N}_.:-]{0,100})/u.exec(start.slice(at, at + 200))?.[1] ?? '';
}

function xmlLike(start: string): string | null {
  const root = xmlRootOf(start);
  if (root === '') return /^\s*<(?:\?xml|!doctype)/i.test(start) ? 'XML' : null;
  const known = Object.hasOwn(roots, root) ? roots[root] : root.toLowerCase() === 'html' ? roots['html'] : undefined;
  return known ?? `XML whose root is ${root}`;
}

function isCsv(start: string): boolean {
  const lines = start.split(/\r?\n/, 4).slice(0, -1);
  const [first = '', second = ''] = lines;
  return [',', ';', '\t'].some((separator) => {
    const columns = first.split(separator).length;
    return columns > 2 && second.split(separator).length >= columns && !/^\s*[{[<]/.test(first);
  });
}

/** Describes the beginning of a report in words; null for anything unknown. */
export function looksLike(bytes: Buffer): string | null {
  const hex = bytes.subarray(0, 16).toString('hex');
  const signature = signatures.find(([beginning]) => hex.startsWith(beginning));
  if (signature) return signature[1];
  const start = bytes.toString('utf8').replace(/^\ufeff/, '');
  const trimmed = start.trimStart();
  if (trimmed.startsWith('<')) return xmlLike(trimmed);
  const own = ownJson.find(([keys]) => keys.every((key) => start.includes(key)));
  if (own) return own[1];
  return isCsv(start) ? 'CSV' : null;
}
