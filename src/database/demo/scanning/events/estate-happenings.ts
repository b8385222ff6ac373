import { between, type Weighted } from '../../random.js';
import { oneOf, snippet, type Template } from './demo-event.js';

const names = ['www', 'shop', 'api', 'live', 'pictures', 'office', 'old-blog', 'export', 'mail', 'status'];
const files = [
  'src/orders/order-search.ts',
  'src/orders/orders.service.ts',
  'src/accounts/legacy-login.ts',
  'src/cart/cart.repository.ts',
  'src/banner/banner.ts',
  'src/login/nonce.ts',
  'tools/unpack_labels.py',
  'lib/slug.js',
  '.ci/label.yml',
  'package-lock.json',
];
const rules = ['code_sql_injection', 'code_secret', 'code_regex', 'code_timing', 'code_weak_random', 'code_inner_html'];

const resolved: Template = ({ random }) => {
  const name = `${oneOf(random, names)}.harbour-outfitters.example`;
  const value = `203.0.113.${between(random, 16, 47)}`;
  return {
    level: 'INFO',
    stage: 'EXECUTION',
    title: `Name resolved: ${name}`,
    description: `It leads to ${value}.`,
    attachments: [snippet('records.txt', 'text', `${name}. 300 IN A ${value}`)],
  };
};

const portTried: Template = ({ random, asset }) => {
  const port = oneOf(random, [21, 22, 25, 80, 443, 3306, 5432, 6379, 8080, 8443]);
  const open = [22, 80, 443].includes(port);
  return {
    level: 'DEBUG',
    stage: 'EXECUTION',
    title: `Port ${port} of ${asset.name} is ${open ? 'open' : 'closed'}`,
    description: open ? 'It answered at once.' : 'No answer within 2 s.',
    attachments: [],
  };
};

const certificate: Template = ({ random }) => {
  const name = `${oneOf(random, names)}.harbour-outfitters.example`;
  const days = between(random, 9, 88);
  return {
    level: days < 14 ? 'WARNING' : 'INFO',
    stage: 'EXECUTION',
    title: `Certificate of ${name} is valid for ${days} days`,
    description: days < 14 ? 'It should have been renewed by now.' : 'Its chain is complete.',
    attachments: [snippet('certificate.txt', 'text', `Subject: CN=${name}\nIssuer: CN=Example CA 3`)],
  };
};

const nameUnknown: Template = ({ random }) => ({
  level: 'DEBUG',
  stage: 'EXECUTION',
  title: `No such name: ${oneOf(random, ['dev', 'vpn', 'ftp', 'intranet'])}.harbour-outfitters.example`,
  description: 'The zone answers NXDOMAIN.',
  attachments: [],
});

const registryAway: Template = () => ({
  level: 'ERROR',
  stage: 'EXECUTION',
  title: 'The certificate log cannot be asked',
  description: 'It answered 503 three times. Names that stand only there are missing.',
  attachments: [],
});

const rangeSet: Template = ({ random }) => ({
  level: 'DEBUG',
  stage: 'CONFIGURATION',
  title: `Rate set to ${between(random, 20, 80)} packets a second`,
  description: 'Adapted to the losses of the last minute.',
  attachments: [],
});

/** What happens while names, addresses and ports are looked for. */
export const surfaceHappenings: readonly Weighted<Template>[] = [
  { value: resolved, weight: 6 },
  { value: portTried, weight: 9 },
  { value: certificate, weight: 3 },
  { value: nameUnknown, weight: 4 },
  { value: registryAway, weight: 0.4 },
  { value: rangeSet, weight: 1 },
];

const fileRead: Template = ({ random }) => ({
  level: 'DEBUG',
  stage: 'EXECUTION',
  title: `File read: ${oneOf(random, files)}`,
  description: `${between(random, 20, 900)} lines in ${between(random, 1, 40)} ms.`,
  attachments: [],
});

const ruleRun: Template = ({ random }) => ({
  level: 'INFO',
  stage: 'EXECUTION',
  title: `Rule ${oneOf(random, rules)} finished`,
  description: `${between(random, 40, 700)} places looked at, none of them new.`,
  attachments: [],
});

const placeSeen: Template = ({ random }) => {
  const path = oneOf(random, files);
  return {
    level: 'DEBUG',
    stage: 'EXECUTION',
    title: `Place looked at in ${path}`,
    description: 'The value comes from a constant: nothing to report.',
    attachments: [
      snippet(path, 'typescript', `const limit = ${between(random, 10, 500)};\nreturn rows.slice(0, limit);`),
    ],
  };
};

const notParsed: Template = ({ random }) => ({
  level: 'WARNING',
  stage: 'EXECUTION',
  title: `File cannot be parsed: ${oneOf(random, ['vendor/legacy.js', 'docs/old.py', 'test/broken.json'])}`,
  description: 'It is searched as text alone.',
  attachments: [],
});

const tooLong: Template = ({ random }) => ({
  level: 'ERROR',
  stage: 'EXECUTION',
  title: `Rule ${oneOf(random, rules)} gave up on one file`,
  description: 'It took more than 30 s. The file counts as not looked at.',
  attachments: [],
});

const ruleSet: Template = ({ random }) => ({
  level: 'INFO',
  stage: 'CONFIGURATION',
  title: `Rules for ${oneOf(random, ['TypeScript', 'Python', 'YAML', 'JavaScript'])} loaded`,
  description: `${between(random, 30, 160)} rules, ${between(random, 1, 9)} switched off by the repository.`,
  attachments: [],
});

/** What happens while code is read. */
export const codeHappenings: readonly Weighted<Template>[] = [
  { value: fileRead, weight: 8 },
  { value: ruleRun, weight: 5 },
  { value: placeSeen, weight: 4 },
  { value: notParsed, weight: 0.8 },
  { value: tooLong, weight: 0.3 },
  { value: ruleSet, weight: 0.6 },
];
