// Writes reports/ and expectations.json: node src/make.mjs. With --check it writes nothing, and fails where they are stale.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { codeFormats } from './code-formats.mjs';
import { packageFormats, webFormats } from './other-formats.mjs';

const home = new URL('../', import.meta.url);

const inCode = [
  {
    rule: 'sql-injection',
    number: '0001',
    title: 'Query built from user input',
    severity: 'HIGH',
    message: 'The query takes name',
    file: 'src/orders.js',
    line: 10,
    code: 'query(name)',
    print: 'byName',
  },
  {
    rule: 'sql-injection',
    number: '0001',
    title: 'Query built from user input',
    severity: 'HIGH',
    message: 'The query takes city',
    file: 'src/orders.js',
    line: 40,
    code: 'query(city)',
    print: 'byCity',
  },
  {
    rule: 'weak-hash',
    number: '0002',
    title: 'Weak hash',
    severity: 'LOW',
    message: 'MD5 is weak',
    file: 'src/login.js',
    line: 5,
    code: 'md5(x)',
    print: 'login',
  },
];
const newInCode = {
  rule: 'path-traversal',
  number: '0003',
  title: 'Path from user input',
  severity: 'MEDIUM',
  message: 'The path takes file',
  file: 'src/files.js',
  line: 7,
  code: 'open(file)',
  print: 'open',
};

const inPackages = [
  {
    id: 'CVE-2026-10001',
    ghsa: 'GHSA-aaaa-bbbb-cccc',
    package: '@acme/cart',
    title: 'Prototype pollution',
    severity: 'HIGH',
  },
  {
    id: 'CVE-2026-10002',
    ghsa: 'GHSA-aaaa-bbbb-dddd',
    package: '@acme/cart',
    title: 'Slow expression',
    severity: 'LOW',
  },
  {
    id: 'CVE-2026-10003',
    ghsa: 'GHSA-aaaa-bbbb-ffff',
    package: 'left',
    title: 'Reads beyond the end',
    severity: 'MEDIUM',
  },
];
const newInPackages = {
  id: 'CVE-2026-10004',
  ghsa: 'GHSA-aaaa-bbbb-gggg',
  package: 'right',
  title: 'Writes beyond the end',
  severity: 'HIGH',
};

const onPages = [
  { rule: 'csp-missing', number: '10038', title: 'No content security policy', severity: 'MEDIUM', page: '/' },
  { rule: 'cookie-no-httponly', number: '10010', title: 'Cookie without HttpOnly', severity: 'LOW', page: '/login' },
  { rule: 'sql-injection', number: '40018', title: 'SQL injection', severity: 'HIGH', page: '/search' },
];
const newOnPages = { rule: 'open-redirect', number: '20019', title: 'Open redirect', severity: 'MEDIUM', page: '/out' };

const first = { version: '1.4.0', run: 'a', packageVersion: '1.0.0', isNewForm: true };
const second = { version: '1.4.0', run: 'b', packageVersion: '1.0.0', isNewForm: true };
const rename = (one) => ({ ...one, title: `${one.title} (renamed)` });
const renumber = (one) => ({ ...one, rule: `security/${one.rule}`, formerRule: one.rule });
const all = (findings) => ({ same: findings.length, new: 0, gone: 0 });

/** What happens between the reports of each pair, for the findings that a format can have. */
function scenariosOf(
  findings,
  more,
  { hasRoots = false, keepsTitles = false, namesFormerIds = false, moves = false, upgrades = false },
) {
  const [one, ...others] = findings;
  const moved = findings.map((finding) => ({ ...finding, line: finding.line + 23 }));
  return [
    {
      name: 'same-again',
      about: 'The same run once more: other ids and times',
      before: [first],
      after: [second],
      ...all(findings),
    },
    {
      name: 'other-order',
      about: 'The findings come in the opposite order',
      before: [first],
      after: [{ ...second, findings: findings.toReversed() }],
      ...all(findings),
    },
    {
      name: 'fixed-and-new',
      about: 'One is fixed, and another is new',
      before: [first],
      after: [{ ...second, findings: [...others, more] }],
      same: others.length,
      new: 1,
      gone: 1,
    },
    {
      name: 'split-run',
      about: 'One report becomes two, each with a part of the findings',
      before: [first],
      after: [
        { ...second, findings: [one] },
        { ...second, findings: others },
      ],
      ...all(findings),
    },
    {
      name: 'merged-runs',
      about: 'Two reports become one',
      before: [
        { ...first, findings: [one] },
        { ...first, findings: others },
      ],
      after: [second],
      ...all(findings),
    },
    {
      name: 'newer-tool',
      about: 'A newer version of the tool, which writes its ids in another form',
      before: [{ ...first, isNewForm: false }],
      after: [{ ...second, version: '2.0.0' }],
      ...all(findings),
    },
    ...(keepsTitles
      ? []
      : [
          {
            name: 'renamed-rules',
            about: 'The rules have other titles; their ids stay',
            before: [first],
            after: [{ ...second, findings: findings.map(rename) }],
            ...all(findings),
          },
        ]),
    ...(namesFormerIds
      ? [
          {
            name: 'other-rule-ids',
            about: 'The rules have other ids, and the report names those of before',
            before: [first],
            after: [{ ...second, findings: findings.map(renumber) }],
            ...all(findings),
            otherRules: true,
          },
        ]
      : []),
    ...(moves
      ? [
          {
            name: 'moved-lines',
            about: 'Lines were added above the findings',
            before: [first],
            after: [{ ...second, findings: moved }],
            ...all(findings),
          },
        ]
      : []),
    ...(moves
      ? [
          {
            name: 'moved-and-new',
            about: 'Lines moved, one finding is new, and the order changed',
            before: [first],
            after: [{ ...second, findings: [more, ...moved.toReversed()] }],
            same: findings.length,
            new: 1,
            gone: 0,
          },
        ]
      : []),
    ...(hasRoots
      ? [
          {
            name: 'other-runner',
            about: 'Another machine with another checkout, whose paths are complete',
            before: [{ ...first, root: '/home/ci/w1/app' }],
            after: [{ ...second, root: '/builds/17/shop' }],
            ...all(findings),
          },
        ]
      : []),
    ...(upgrades
      ? [
          {
            name: 'other-version',
            about: 'The package has another version, which is vulnerable too',
            before: [first],
            after: [{ ...second, packageVersion: '1.0.9' }],
            ...all(findings),
          },
        ]
      : []),
  ];
}

const groups = [
  {
    formats: codeFormats,
    findings: inCode,
    more: newInCode,
    asset: 'https://code.example/acme/shop',
    traits: { moves: true },
  },
  {
    formats: packageFormats,
    findings: inPackages,
    more: newInPackages,
    asset: 'https://code.example/acme/shop',
    traits: { upgrades: true },
  },
  { formats: webFormats, findings: onPages, more: newOnPages, asset: 'https://shop.example', traits: {} },
];

/** Every file with its text. */
function made() {
  const files = new Map();
  const pairs = [];
  for (const { formats, findings, more, asset, traits } of groups) {
    for (const [format, { extension, write, mapping, ...own }] of Object.entries(formats)) {
      for (const { before, after, ...pair } of scenariosOf(findings, more, { ...traits, ...own })) {
        const written = (runs, when) =>
          runs.map((run, at) => {
            const file = `${format}/${pair.name}-${when}${runs.length > 1 ? `-${at + 1}` : ''}.${extension}`;
            files.set(`reports/${file}`, write({ findings, ...run }));
            return {
              file,
              asset,
              ...(run.root === undefined ? {} : { root: run.root }),
              ...(mapping ? { mapping } : {}),
            };
          });
        pairs.push({ format, ...pair, before: written(before, 'before'), after: written(after, 'after') });
      }
    }
  }
  files.set('expectations.json', `${JSON.stringify({ pairs }, null, 2)}\n`);
  return files;
}

const read = (file) => {
  try {
    return readFileSync(new URL(file, home), 'utf8');
  } catch {
    return '';
  }
};

const stale = [...made()].filter(([file, text]) => read(file) !== text);
if (process.argv.includes('--check')) {
  for (const [file] of stale) console.error(`${file} is stale: node src/make.mjs`);
  if (stale.length > 0) process.exitCode = 1;
} else {
  for (const [file, text] of stale) {
    mkdirSync(new URL('./', new URL(file, home)), { recursive: true });
    writeFileSync(new URL(file, home), text);
  }
}
