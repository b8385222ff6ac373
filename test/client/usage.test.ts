import { describe, expect, it } from '@jest/globals';
import { runClient } from '../support/client-run.js';

const id = '01981c5e-7a60-7c3e-9f0b-52c1d5a1e0c4';
// Nothing listens here: a command that reached the network would end with 1.
const url = 'http://127.0.0.1:9';

describe('A command line that is not understood', () => {
  it.each([
    ['events list --levels FATAL', /"FATAL" is none of them: use ERROR, WARNING, INFO, DEBUG/],
    ['events list -l ERROR,,INFO', /"" is none of them/],
    ['events list --stage PLANNING', /use CONFIGURATION, EXECUTION, AGENT_REASONING, AGENT_ACTION/],
    ['events list -t VIDEO', /use EXCHANGE, SNIPPET, SCREENSHOT/],
    ['events list -p 17', /option '-p, --profile-id <id>'.*An id looks like/],
    ['events list --scan-id nonsense', /An id looks like/],
    [`events list -a ${id},x`, /An id looks like/],
    ['events list --issue-id', /argument missing/],
    ['events list --limit 0', /Give a whole number from 1 to 10000/],
    ['events list --limit 10001', /Give a whole number from 1 to 10000/],
    ['events list --limit 1e3', /Give a whole number from 1 to 10000/],
    ['events list -o xml', /Allowed choices are table, json, jsonl, csv/],
    ['events list --color', /unknown option '--color'/],
    ['events list -l WARNIGN', /Did you mean WARNING/],
    ['issues list --severities crit', /Did you mean CRITICAL/],
    ['issues update latest --status RESLOVED', /Did you mean RESOLVED/],
    ['isues list', /Did you mean issues/],
    ['events lsit', /Did you mean list/],
    ['events list --since yesterday', /2026-11-20T06:00Z or 2026-11-20, or how long ago it was: 90m/],
    ['scans list --until 2026-02-30', /how long ago/],
    ['events list --all --limit 3', /cannot be used with option/],
    ['events list --follow --until 1h', /cannot be used with option/],
    ['events get 01981c5', /its first 8 characters/],
    ['issues update latest', /nothing to change: give --status, --severity or --comment/],
    ['issues comment latest', /missing required argument 'text'/],
    ['workflows create', /required option '-f, --file <file>' not specified/],
    ['workflows create -f /nowhere.json', /Cannot read .nowhere.json: there is no such file/],
    ['workflows create -f .', /it is a folder/],
    ['keys revoke latest', /Say which key/],
    ['keys create CI --expires 2020-01-01', /Give a time to come/],
    ['keys create CI --role owner', /use viewer, importer, member, admin/],
    ['completion tcsh', /Allowed choices are bash, zsh, fish/],
    ['events list --levle ERROR', /Did you mean --levels/],
    ['events list ERROR', /too many arguments/],
    ['events get', /missing required argument 'id'/],
    ['events get 17', /An id looks like/],
    ['events delete', /unknown command 'delete'/],
    ['scans watch 17', /An id looks like/],
    ['scans list --statuses DONE', /use STARTING, RUNNING, FINISHED, FAILED, CANCELED/],
    ['scans list --kinds DAST', /FRONTEND_DAST/],
    ['scans import', /missing required argument 'files'/],
    ['scans import report --format xml', /Allowed choices are sarif, zap-json, zap-xml, nuclei-jsonl/],
    ['scans import report --kind NONE', /"NONE" is none of them/],
    ['scans import report --profile-id x', /An id looks like/],
    ['issues list --severities URGENT', /use CRITICAL, HIGH, MEDIUM, LOW, INFO/],
    ['issues list --statuses DONE', /use OPEN, RESOLVED, MANUAL_REVIEW, IGNORED, FALSE_POSITIVE/],
    ['issues list --categories XSS', /use ACCESS_CONTROL, /],
    ['workflows run', /missing required argument 'id'/],
    ['workflows run x', /An id looks like/],
    ['shops', /unknown command 'shops'/],
    ['shop orders ship', /missing required argument 'order'/],
    ['shop orders ship x', /the number of an order, such as 240/],
    ['shop orders list --queue lost', /use to_ship, unpaid, problems, returns/],
    ['shop orders list --status pendng', /Did you mean pending/],
    ['shop orders ship 1 --status paid', /use shipped, delivered, completed/],
  ])('ends `store %s` with 2 and says why', async (words, sentence) => {
    const { code, stdout, stderr } = await runClient(words.split(' '), { url });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(sentence);
    expect(stderr).toMatch(/^store: /);
  });

  it.each([[[]], [['events']], [['scans']], [['issues']], [['workflows']]])(
    'shows the help of `store %j` on standard error',
    async (args) => {
      const { code, stdout, stderr } = await runClient(args, { url });
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(/^Usage: store/);
    },
  );

  it.each([
    ['nonsense', /is no address/],
    ['localhost:3000', /does not begin with http:\/\/ or https:\/\//],
    ['http://grace:hopper@localhost:3000', /belongs into STORE_API_KEY/],
  ])('refuses STORE_API_URL=%s', async (address, sentence) => {
    const { code, stderr } = await runClient(['events', 'list'], { url: address });
    expect(code).toBe(2);
    expect(stderr).toMatch(sentence);
    expect(stderr).not.toContain('hopper');
  });

  it('has no option for the key', async () => {
    const { code, stderr } = await runClient(['events', 'list', '--api-key', 'sk_secret'], { url });
    expect(code).toBe(2);
    expect(stderr).toContain("unknown option '--api-key'");
  });
});
