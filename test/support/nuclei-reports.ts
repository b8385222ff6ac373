type Json = Record<string, unknown>;

/** A finding as Nuclei writes it. */
export const nucleiFinding = (more: Json = {}): Json => ({
  'template-id': 'git-config',
  info: {
    name: 'Git Config File',
    author: ['ada'],
    tags: ['config', 'git', 'exposure'],
    description: 'The git config is public.',
    severity: 'medium',
    reference: ['https://docs.example/git'],
    classification: { 'cve-id': null, 'cwe-id': ['cwe-200'], 'cvss-score': 5.3 },
  },
  'matcher-name': 'plain',
  type: 'http',
  host: 'https://shop.example',
  'matched-at': 'https://shop.example/.git/config',
  ip: '192.0.2.7',
  timestamp: '2026-11-21T12:00:00.000000001Z',
  'matcher-status': true,
  ...more,
});

/** A report of these lines. */
export const reportOf = (...all: (Json | string)[]): string =>
  all.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join('\n');
