import { between, oneOf, type Weighted } from '../../../random.js';
import { snippet, template, type Template } from './demo-event.js';

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

/** Events while a scanner looks for names, addresses and ports. */
export const surfaceEvents: readonly Weighted<Template>[] = [
  template({ weight: 6, level: 'INFO' }, ({ random }) => {
    const name = `${oneOf(random, names)}.harbour-outfitters.example`;
    const value = `203.0.113.${between(random, 16, 47)}`;
    return {
      title: `Name resolved: ${name}`,
      description: `It leads to ${value}.`,
      attachments: [snippet('records.txt', 'text', `${name}. 300 IN A ${value}`)],
    };
  }),
  template({ weight: 9, level: 'DEBUG' }, ({ random, asset }) => {
    const port = oneOf(random, [21, 22, 25, 80, 443, 3306, 5432, 6379, 8080, 8443]);
    const open = [22, 80, 443].includes(port);
    return {
      title: `Port ${port} of ${asset.name} is ${open ? 'open' : 'closed'}`,
      description: open ? 'It answered at once.' : 'No answer within 2 s.',
    };
  }),
  template({ weight: 3, level: 'INFO' }, ({ random }) => {
    const name = `${oneOf(random, names)}.harbour-outfitters.example`;
    const days = between(random, 9, 88);
    return {
      level: days < 14 ? 'WARNING' : 'INFO',
      title: `Certificate of ${name} is valid for ${days} days`,
      description: days < 14 ? 'It should have been renewed by now.' : 'Its chain is complete.',
      attachments: [snippet('certificate.txt', 'text', `Subject: CN=${name}\nIssuer: CN=Example CA 3`)],
    };
  }),
  template({ weight: 4, level: 'DEBUG' }, ({ random }) => ({
    title: `No such name: ${oneOf(random, ['dev', 'vpn', 'ftp', 'intranet'])}.harbour-outfitters.example`,
    description: 'The zone answers NXDOMAIN.',
  })),
  template({ weight: 0.4, level: 'ERROR' }, () => ({
    title: 'The certificate log cannot be asked',
    description: 'It answered 503 three times. Names that stand only there are missing.',
  })),
  template({ weight: 1, level: 'DEBUG', stage: 'CONFIGURATION' }, ({ random }) => ({
    title: `Rate set to ${between(random, 20, 80)} packets a second`,
    description: 'Adapted to the losses of the last minute.',
  })),
];

/** Events while a scanner reads code. */
export const codeEvents: readonly Weighted<Template>[] = [
  template({ weight: 8, level: 'DEBUG' }, ({ random }) => ({
    title: `File read: ${oneOf(random, files)}`,
    description: `${between(random, 20, 900)} lines in ${between(random, 1, 40)} ms.`,
  })),
  template({ weight: 5, level: 'INFO' }, ({ random }) => ({
    title: `Rule ${oneOf(random, rules)} finished`,
    description: `${between(random, 40, 700)} places looked at, none of them new.`,
  })),
  template({ weight: 4, level: 'DEBUG' }, ({ random }) => {
    const path = oneOf(random, files);
    return {
      title: `Place looked at in ${path}`,
      description: 'The value comes from a constant: nothing to report.',
      attachments: [
        snippet(path, 'typescript', `const limit = ${between(random, 10, 500)};\nreturn rows.slice(0, limit);`),
      ],
    };
  }),
  template({ weight: 0.8, level: 'WARNING' }, ({ random }) => ({
    title: `File cannot be parsed: ${oneOf(random, ['vendor/legacy.js', 'docs/old.py', 'test/broken.json'])}`,
    description: 'It is searched as text alone.',
  })),
  template({ weight: 0.3, level: 'ERROR' }, ({ random }) => ({
    title: `Rule ${oneOf(random, rules)} gave up on one file`,
    description: 'It took more than 30 s. The file counts as not looked at.',
  })),
  template({ weight: 0.6, level: 'INFO', stage: 'CONFIGURATION' }, ({ random }) => ({
    title: `Rules for ${oneOf(random, ['TypeScript', 'Python', 'YAML', 'JavaScript'])} loaded`,
    description: `${between(random, 30, 160)} rules, ${between(random, 1, 9)} switched off by the repository.`,
  })),
];
