import type { ToolReport } from './expected-import.js';

// Small reports in the structure that the tools' own documentation shows; all names in them are made up.

const info = (name: string, severity: string, tags: string[], more: object = {}): object => ({
  name,
  author: ['ada'],
  tags,
  description: `${name} was found.`,
  reference: ['https://docs.example'],
  severity,
  metadata: { 'max-request': 1 },
  classification: { 'cve-id': null, 'cwe-id': ['cwe-200'] },
  ...more,
});

const line = (id: string, type: string, more: object): object => ({
  template: `${type}/${id}.yaml`,
  'template-url': `https://templates.example/${id}`,
  'template-id': id,
  'template-path': `/root/nuclei-templates/${type}/${id}.yaml`,
  info: info(id, 'info', ['discovery']),
  type,
  timestamp: '2026-11-22T04:00:00.000000001Z',
  'curl-command': "curl -X 'GET' 'https://shop.example'",
  'matcher-status': true,
  ...more,
});

const lines = (...all: object[]): string => `${all.map((one) => JSON.stringify(one)).join('\n')}\n`;
const request = 'GET /.git/config HTTP/1.1\r\nHost: shop.example\r\n\r\n';
const response = 'HTTP/1.1 200 OK\r\nServer: nginx\r\n\r\n[core]';

const second: ToolReport = {
  tool: 'Nuclei 2, of each protocol',
  content: lines(
    line('git-config', 'http', {
      host: 'https://shop.example',
      'matched-at': 'https://shop.example/.git/config',
      ip: '192.0.2.7',
      info: info('Git Config File', 'medium', ['exposure']),
      request,
      response,
      'matched-line': null,
    }),
    line('caa-fingerprint', 'dns', {
      host: 'shop.example.',
      'matched-at': 'shop.example',
      request: ';; opcode: QUERY',
    }),
    line('tls-version', 'ssl', {
      host: 'shop.example:443',
      'matched-at': 'shop.example:443',
      'extracted-results': ['tls12'],
    }),
    line('openssh-detect', 'network', { host: 'shop.example:22', 'matched-at': 'shop.example:22', ip: '192.0.2.7' }),
    line('aws-access-key', 'file', {
      host: '/srv/shop',
      'matched-at': '/srv/shop/.env',
      'extracted-results': ['AKIA0'],
    }),
    line('prototype-pollution', 'headless', {
      host: 'https://shop.example',
      'matched-at': 'https://shop.example/?__proto__[a]=b',
    }),
    line('ws-detect', 'websocket', { host: 'wss://shop.example', 'matched-at': 'wss://shop.example/live' }),
    line('rdap-whois', 'whois', { host: 'shop.example', 'matched-at': 'https://rdap.example/domain/shop.example' }),
  ),
  findings: 8,
  issues: [
    ['aws-access-key', 'INFO', 'INFORMATION_DISCLOSURE'],
    ['caa-fingerprint', 'INFO', 'INFORMATION_DISCLOSURE'],
    ['git-config', 'MEDIUM', 'INFORMATION_DISCLOSURE'],
    ['openssh-detect', 'INFO', 'INFORMATION_DISCLOSURE'],
    ['prototype-pollution', 'INFO', 'INFORMATION_DISCLOSURE'],
    ['rdap-whois', 'INFO', 'INFORMATION_DISCLOSURE'],
    ['tls-version', 'INFO', 'INFORMATION_DISCLOSURE'],
    ['ws-detect', 'INFO', 'INFORMATION_DISCLOSURE'],
  ],
  assets: [
    'asset://code-project//srv/shop/.env',
    'asset://frontend/rdap.example',
    'asset://frontend/shop.example',
    'asset://host/shop.example',
  ],
  targets: [
    '/srv/shop/.env',
    'https://rdap.example/domain/shop.example',
    'https://shop.example/.git/config',
    'https://shop.example/?__proto__[a]=b',
    'shop.example',
    'shop.example:22',
    'shop.example:443',
    'wss://shop.example/live',
  ],
};

const third: ToolReport = {
  tool: 'Nuclei 3, of each protocol',
  content: lines(
    line('git-config', 'http', {
      host: 'shop.example',
      port: '443',
      scheme: 'https',
      url: 'https://shop.example',
      path: '/.git/config',
      'matched-at': 'https://shop.example/.git/config',
      info: info('Git Config File', 'medium', ['exposure']),
      request,
      response,
      ip: '192.0.2.7',
    }),
    line('dmarc-detect', 'dns', {
      host: '_dmarc.shop.example',
      'matched-at': '_dmarc.shop.example',
      request: ';; QUESTION',
    }),
    line('weak-cipher', 'ssl', {
      host: 'shop.example',
      port: '8443',
      'matched-at': 'shop.example:8443',
      ip: '192.0.2.7',
    }),
    line('redis-detect', 'tcp', {
      host: 'shop.example',
      port: '6379',
      'matched-at': 'shop.example:6379',
      request: 'INFO',
      response: '# Server',
    }),
    line('smb-signing', 'javascript', { host: '192.0.2.9', port: '445', 'matched-at': '192.0.2.9:445' }),
    line('s3-public', 'code', {
      host: 'https://s3.example',
      'matched-at': 'arn:aws:s3:::acme-backup',
      info: info('Public bucket', 'high', ['cloud']),
    }),
    line('dom-xss', 'headless', {
      host: 'shop.example',
      url: 'https://shop.example/#x',
      'matched-at': 'https://shop.example/#x',
    }),
    line('not-matched', 'http', { host: 'shop.example', url: 'https://shop.example', 'matcher-status': false }),
  ),
  findings: 8,
  skipped: 1,
  issues: [
    ['dmarc-detect', 'INFO', 'INFORMATION_DISCLOSURE'],
    ['dom-xss', 'INFO', 'INFORMATION_DISCLOSURE'],
    ['git-config', 'MEDIUM', 'INFORMATION_DISCLOSURE'],
    ['redis-detect', 'INFO', 'INFORMATION_DISCLOSURE'],
    ['s3-public', 'HIGH', 'INFORMATION_DISCLOSURE'],
    ['smb-signing', 'INFO', 'INFORMATION_DISCLOSURE'],
    ['weak-cipher', 'INFO', 'INFORMATION_DISCLOSURE'],
  ],
  assets: [
    'asset://cloud-component/arn:aws:s3:::acme-backup',
    'asset://frontend/shop.example',
    'asset://host/192.0.2.9',
    'asset://host/_dmarc.shop.example',
    'asset://host/shop.example',
  ],
  targets: [
    '192.0.2.9:445',
    '_dmarc.shop.example',
    'arn:aws:s3:::acme-backup',
    'https://shop.example/#x',
    'https://shop.example/.git/config',
    'shop.example:6379',
    'shop.example:8443',
  ],
};

export const nucleiReports = [second, third];
