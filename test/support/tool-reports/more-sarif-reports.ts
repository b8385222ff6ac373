import type { ToolReport } from './expected-import.js';

// Small reports in the structure that the tools' own documentation and writers show; all names in them are made up.

const file = (uri: string, startLine: number): object => ({
  physicalLocation: { artifactLocation: { uri }, region: { startLine } },
});

const snykOpenSource: ToolReport = {
  tool: 'Snyk Open Source',
  query: '?asset=shop',
  content: {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'Snyk Open Source',
            properties: { artifactsScanned: 512 },
            rules: [
              {
                id: 'SNYK-JS-LODASH-567746',
                shortDescription: { text: 'High severity - Prototype Pollution vulnerability in lodash' },
                fullDescription: { text: '(CVE-2020-8203) lodash@4.17.15' },
                help: { text: '', markdown: '* Package Manager: npm' },
                properties: {
                  tags: ['security', 'CWE-1321', 'npm'],
                  cvssv3_baseScore: 8.2,
                  'security-severity': '8.2',
                },
              },
            ],
          },
        },
        results: [
          {
            ruleId: 'SNYK-JS-LODASH-567746',
            level: 'error',
            message: { text: 'This file introduces a vulnerable lodash package with a high severity vulnerability.' },
            locations: [
              { ...file('package-lock.json', 1), logicalLocations: [{ fullyQualifiedName: 'lodash@4.17.15' }] },
            ],
            fixes: [{ description: { text: 'Upgrade to lodash@4.17.20' }, artifactChanges: [] }],
          },
        ],
      },
    ],
  },
  findings: 1,
  issues: [['SNYK-JS-LODASH-567746', 'HIGH', 'INJECTION', 'OPEN']],
  assets: ['asset://code-project/shop'],
  targets: ['package-lock.json'],
};

const snykCode: ToolReport = {
  tool: 'Snyk Code',
  query: '?asset=shop',
  content: {
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'SnykCode',
            semanticVersion: '1.0.0',
            rules: [
              {
                id: 'javascript/NoHardcodedPasswords',
                name: 'NoHardcodedPasswords',
                shortDescription: { text: 'Use of Hardcoded Passwords' },
                defaultConfiguration: { level: 'note' },
                properties: { tags: ['javascript', 'Security'], categories: ['Security'], cwe: ['CWE-798', 'CWE-259'] },
              },
            ],
          },
        },
        automationDetails: { id: 'Snyk/Code/2026-11-22T04:41:38Z' },
        results: ['accepted', 'underReview', 'rejected'].map((status, at) => ({
          ruleId: 'javascript/NoHardcodedPasswords',
          ruleIndex: 0,
          level: 'note',
          message: { text: 'Do not hardcode passwords in code.', arguments: ['[hardcoded](0)'] },
          locations: [file(`src/login${at}.js`, 5)],
          fingerprints: { '0': `aa${at}`, '1': `b1.c2.${at}` },
          codeFlows: [],
          suppressions: [
            { guid: 'x', kind: 'external', status, justification: 'A test', properties: { category: 'wont-fix' } },
          ],
          properties: { priorityScore: 359, isAutofixable: false },
        })),
      },
    ],
  },
  findings: 3,
  issues: [
    ['javascript/NoHardcodedPasswords', 'LOW', 'ACCESS_CONTROL', 'IGNORED'],
    ['javascript/NoHardcodedPasswords', 'LOW', 'ACCESS_CONTROL', 'OPEN'],
    ['javascript/NoHardcodedPasswords', 'LOW', 'ACCESS_CONTROL', 'OPEN'],
  ],
  assets: ['asset://code-project/shop'],
  targets: ['src/login0.js', 'src/login1.js', 'src/login2.js'],
};

const eslint: ToolReport = {
  tool: 'ESLint',
  query: '?asset=shop',
  content: {
    version: '2.1.0',
    $schema: 'http://json.schemastore.org/sarif-2.1.0-rtm.5',
    runs: [
      {
        tool: {
          driver: {
            name: 'ESLint',
            informationUri: 'https://linter.example',
            rules: [
              {
                id: 'no-eval',
                helpUri: 'https://linter.example/rules/no-eval',
                properties: { category: 'Suggestions' },
                shortDescription: { text: 'Disallow the use of `eval()`' },
              },
            ],
            version: '9.0.0',
          },
        },
        artifacts: [{ location: { uri: 'file:///home/ada/my%20shop/src/cart.js' } }],
        results: [
          {
            level: 'error',
            message: { text: 'eval can be harmful.' },
            locations: [
              {
                physicalLocation: {
                  artifactLocation: { uri: 'file:///home/ada/my%20shop/src/cart.js', index: 0 },
                  region: { startLine: 2, startColumn: 1 },
                },
              },
            ],
            ruleId: 'no-eval',
            ruleIndex: 0,
            suppressions: [],
          },
        ],
        invocations: [
          {
            toolConfigurationNotifications: [
              {
                descriptor: { id: 'ESL0999' },
                level: 'error',
                message: { text: 'Parsing error: Unexpected token' },
                locations: [file('file:///home/ada/my%20shop/src/broken.js', 7)],
              },
            ],
            executionSuccessful: false,
          },
        ],
      },
    ],
  },
  findings: 1,
  issues: [['no-eval', 'HIGH', 'CUSTOM', 'OPEN']],
  assets: ['asset://code-project/shop'],
  targets: ['home/ada/my shop/src/cart.js'],
  status: 'FAILED',
};

export const moreSarifReports = [snykOpenSource, snykCode, eslint];
