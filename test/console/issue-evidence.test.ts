import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { insertUser, type InsertedUser } from '../support/accounts.js';
import { insertMembership, insertOrganization } from '../support/organizations.js';
import { FoundIssues, Imports, sarifLog, sarifResult } from '../support/report-imports.js';
import { Acts } from './acts.js';
import { type ConsoleScene, startConsoleScene, violationsInBothThemes } from './console-scene.js';

const help = `# Never build queries from input

Bind **values** as \`parameters\`:

- by name
- by [place](https://rules.example.com/places)

<img src="x" onerror="document.title = 'taken over'"><script>document.title = 'taken over'</script>
[run](javascript:document.title='taken-over')`;
const pixel =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

let scene: ConsoleScene;
let acts: Acts;
let engineer: InsertedUser;
let issueId = '';

beforeAll(async () => {
  scene = await startConsoleScene({ env: { DEMO_DATA: 'false' } });
  const { id: organizationId, admin } = await insertOrganization(scene.app);
  engineer = await insertUser(scene.app, { username: 'evidence.engineer' });
  await insertMembership(scene.app, organizationId, engineer.id, 'member');
  const at = (uri: string, startLine: number) => ({
    location: {
      physicalLocation: { artifactLocation: { uri }, region: { startLine } },
      message: { text: `step ${startLine}` },
    },
  });
  const found = (uri: string, startLine: number) =>
    sarifResult('sql', uri, {
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri },
            region: { startLine, snippet: { text: 'const q = ask();\ndb.query(q);' } },
          },
        },
      ],
      codeFlows: [{ threadFlows: [{ locations: [at('src/in.ts', 3), at(uri, startLine)] }] }],
    });
  const rule = {
    id: 'sql',
    name: 'Query from input',
    help: { markdown: help, text: 'Never build queries from input' },
    helpUri: 'https://rules.example.com/sql',
    properties: { tags: ['external/cwe/cwe-089', 'CVE-2021-44228'] },
  };
  const results = [found('src/search.ts', 41), found('src/cart.ts', 7)];
  const imports = new Imports(scene.app.api, admin.token);
  const { scan } = await imports.import(sarifLog(results, { tool: { driver: { name: 'Lint', rules: [rule] } } }));
  const issue = (await new FoundIssues(scene.app.api, admin.token).list()).find(
    ({ place }) => place === 'src/search.ts:41',
  );
  issueId = issue?.id ?? '';
  const calls = { token: admin.token };
  await scene.app.api.send('PATCH', `/api/v1/assets/${issue?.assetId}`, {
    ...calls,
    json: { sourceUrl: 'https://github.com/acme/shop' },
  });
  const exchange = {
    request: { method: 'POST', url: 'https://shop.example/search', body: "q=' OR 1=1" },
    response: { status: 500 },
  };
  const attachments = [
    { type: 'SNIPPET', snippet: { name: 'src/search.ts', content: 'const q = ask();\ndb.query(q);', startLine: 41 } },
    { type: 'EXCHANGE', exchange },
    { type: 'SCREENSHOT', screenshot: { url: pixel, alt: 'The broken page' } },
  ];
  const event = {
    title: 'Tried',
    description: '',
    level: 'INFO',
    stage: 'EXECUTION',
    issueIds: [issueId],
    attachments,
  };
  const { status } = await scene.app.api.post(`/api/v1/scans/${scan.id}/events`, { ...calls, json: [event] });
  expect(status).toBe(201);
  acts = new Acts(await scene.open(engineer, `scanning/issues?issue=${issueId}`), scene.app);
});

afterAll(async () => {
  await scene?.close();
});

const panel = () => acts.page.getByRole('complementary', { name: 'Issue' });
const part = (name: string) => panel().getByRole('region', { name, exact: true });

describe('The panel of an issue', () => {
  it('shows the code with its true line numbers, the exchange, the picture and the steps', async () => {
    const evidence = part('Evidence');
    const code = evidence.getByRole('region', { name: 'src/search.ts' });
    await code.waitFor();
    expect(await code.getByRole('list').getAttribute('start')).toBe('41');
    expect(await code.getByRole('listitem').allInnerTexts()).toEqual(['const q = ask();', 'db.query(q);']);
    expect(await evidence.getByRole('region', { name: 'Request' }).innerText()).toContain("q=' OR 1=1");
    expect(await evidence.getByRole('region', { name: 'Response' }).innerText()).toContain('Status 500');
    expect(await evidence.getByRole('img', { name: 'The broken page' }).getAttribute('src')).toBe(pixel);
    const steps = evidence.getByRole('list', { name: 'How the value gets there' }).getByRole('listitem');
    expect((await steps.allInnerTexts()).map((text) => text.split('\n')[0])).toEqual([
      'src/in.ts:3',
      'src/search.ts:41',
    ]);
  });

  it('leads to the line at the code host, and to the lists that know it', async () => {
    const line = panel().getByRole('link', { name: 'src/search.ts:41' }).first();
    expect(await line.getAttribute('href')).toBe('https://github.com/acme/shop/blob/HEAD/src/search.ts#L41');
    const known = part('Identifiers').getByRole('link');
    expect(await known.allInnerTexts()).toEqual(['CWE-89', 'CVE-2021-44228']);
    expect(await known.last().getAttribute('href')).toBe('https://nvd.nist.gov/vuln/detail/CVE-2021-44228');
  });

  it('shows the help of the rule as Markdown, of which nothing runs', async () => {
    const rule = part('Rule');
    await rule.getByRole('listitem').filter({ hasText: 'by name' }).waitFor();
    expect(await rule.locator('code').innerText()).toBe('parameters');
    expect(await rule.getByRole('link', { name: 'place' }).getAttribute('rel')).toBe('noreferrer noopener');
    expect(await rule.locator('img, script').count()).toBe(0);
    expect(await rule.getByText('run', { exact: true }).getAttribute('href')).toBeNull();
    expect(await acts.page.title()).not.toContain('taken');
  });

  it('leads to where else the rule fired, by the keyboard', async () => {
    const other = part('Where else the rule fired').getByRole('link', { name: 'src/cart.ts:7' });
    await other.focus();
    await acts.page.keyboard.press('Enter');
    await panel().getByRole('link', { name: 'src/cart.ts:7' }).first().waitFor();
    await acts.page.goBack();
    await panel().getByRole('link', { name: 'src/search.ts:41' }).first().waitFor();
    if (process.env['TEST_PICTURES']) {
      await acts.page.setViewportSize({ width: 1440, height: 2_600 });
      await acts.page.screenshot({ path: `${process.env['TEST_PICTURES']}/issue.png` });
    }
    expect(await violationsInBothThemes(acts.page)).toEqual([]);
    expect(acts.faults()).toEqual([]);
  });
});
