import { describe, expect, it } from '@jest/globals';
import { importScene } from './import-scene.js';

const scene = importScene();
const asset = 'asset=https://code.example/acme/shop';

function query(mapping: unknown, more = ''): string {
  const text = typeof mapping === 'string' ? mapping : JSON.stringify(mapping);
  return `?${asset}&mapping=${encodeURIComponent(text)}${more}`;
}

const mapping = { findings: 'problems[]', name: 'title', path: 'file' };
const report = {
  problems: [
    { title: 'One', file: 'a.ts' },
    { title: 'Two', file: 'b.ts' },
  ],
};

describe('POST /api/v1/scans/import with a mapping', () => {
  it.each([
    ['no JSON', '{', 'mapping'],
    ['a list', '[]', 'mapping'],
    ['an unknown field', { ...mapping, naem: 'title' }, 'naem'],
    ['no list', { name: 'title' }, 'findings'],
    ['a list whose path does not end in []', { ...mapping, findings: 'problems' }, 'findings'],
    ['a path with brackets', { ...mapping, name: 'a[].b' }, 'name'],
    ['a path that is no text', { ...mapping, path: 5 }, 'path'],
    ['no paths', { ...mapping, path: [] }, 'path'],
    ['neither name nor rule', { findings: 'problems[]' }, 'name'],
    ['another severity', { ...mapping, severity: 'x', severities: { a: 'BAD' } }, 'severities'],
    ['another severity for the rest', { ...mapping, otherwise: 'high' }, 'otherwise'],
    ['a list that the report does not have', { ...mapping, findings: 'issues[]' }, 'findings'],
    ['a list that is none', { ...mapping, findings: 'problems[].title[]' }, 'findings'],
  ])('refuses %s', async (_, given, field) => {
    const { status, body } = await scene.imports.send(JSON.stringify(report), query(given));
    expect([status, JSON.stringify(body)]).toEqual([422, expect.stringContaining(`"${field}"]`)]);
  });

  it('refuses the format without one, and one beside another format', async () => {
    const without = await scene.imports.send(JSON.stringify(report), `?${asset}&format=mapped-json`);
    expect([without.status, JSON.stringify(without.body)]).toEqual([422, expect.stringContaining('needs a mapping')]);
    const beside = await scene.imports.send(JSON.stringify(report), query(mapping, '&format=sarif'));
    expect([beside.status, JSON.stringify(beside.body)]).toEqual([422, expect.stringContaining('needs no mapping')]);
  });

  it('takes it as a field of a form', async () => {
    const form = new FormData();
    form.append('mapping', JSON.stringify(mapping));
    form.append('asset', 'https://code.example/acme/shop');
    form.append('file', new Blob([JSON.stringify(report)]), 'report.json');
    const { status, body } = await scene.imports.sendForm(form);
    expect([status, body.created, body.tool]).toEqual([201, 2, 'Mapped JSON']);
  });

  it('knows findings again by their fingerprint, whatever else changes', async () => {
    const own = { ...mapping, line: 'line', description: 'text', fingerprint: 'key' };
    const of = (line: number, text: string): object => ({
      problems: [{ title: 'One', file: 'a.ts', line, text, key: 'k1' }],
    });
    expect(await scene.imports.import(of(1, 'first'), query(own))).toMatchObject({ created: 1 });
    expect(await scene.imports.import(of(9, 'second'), query(own))).toMatchObject({ created: 0, seen: 1 });
  });
});

describe('POST /api/v1/scans/import of found secrets', () => {
  it('stores none of them, wherever the report says them', async () => {
    const secret = 'AKIAQQ7ZEXAMPLE9X2Y4';
    const gitLab = {
      version: '15.0.7',
      scan: { type: 'secret_detection', status: 'success' },
      vulnerabilities: [
        {
          name: 'AWS key',
          description: `The key ${secret} was found`,
          severity: 'Critical',
          raw_source_code_extract: secret,
          identifiers: [{ type: 'rule', name: 'aws', value: 'aws' }],
          location: { file: '.env', start_line: 3 },
          details: { match: { value: `key=${secret};` } },
        },
      ],
    };
    const trivy = {
      SchemaVersion: 2,
      ArtifactName: '.',
      Results: [
        {
          Target: '.env',
          Secrets: [
            {
              RuleID: 'aws',
              Severity: 'HIGH',
              Match: `KEY=${secret}`,
              Code: { Lines: [{ Number: 1, Content: `KEY=${secret}` }] },
            },
          ],
        },
      ],
    };
    for (const one of [gitLab, trivy]) {
      expect(await scene.imports.import(one, `?${asset}`)).toMatchObject({ created: 1 });
    }
    const stored = await scene.app.database.rows(
      `SELECT row_to_json(i)::text, d.detail::text, r.rule::text, e.description, e.attachments::text
         FROM issues i JOIN issue_details d ON d.issue_id = i.id
         LEFT JOIN issue_rules r ON r.digest = d.rule_digest
         LEFT JOIN scan_events e ON e.issue_ids @> ARRAY[i.id]
        WHERE i.organization_id = $1`,
      [scene.organization.id],
    );
    expect(stored.length).toBeGreaterThan(1);
    expect(JSON.stringify(stored)).not.toContain(secret.slice(0, 12));
  });
});
