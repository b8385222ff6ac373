import type { AssetDraft } from '../assets/asset-draft.js';
import type { FindingDetail, FindingRule } from '../issues/finding-detail.js';
import { type IssueSeverity, maxLine } from '../vocabulary.js';
import { sha256 } from '../../platform/crypto/digests.js';
import { categoryOfCwes } from './cwe-category.js';
import type { Cuts } from './cuts.js';
import { bagOf, compact, detailJson, identifiersIn, type Keeping } from './report-details.js';
import { longest, type ReportEntry, type ReportFinding } from './report-finding.js';
import { type Fields, identifierOf, numberOf, paragraphs } from './report-text.js';
import { languageOfPath } from './source-language.js';
import { absolutePath, type SourceRoots } from './source-roots.js';

const maxReferences = 100;

/** A finding in a file, as formats of code scanners say it. */
export interface CodeFinding {
  rule: { id: string; title: string; description: string; help: string; helpUri: string; references: string[] };
  name: string;
  message: string;
  severity: IssueSeverity;
  category?: ReportFinding['category'];
  /** Texts with further identifiers, and weaknesses. */
  aliases: string[];
  cwes: number[];
  file: string;
  /** The page, if it was found on one. */
  url?: string;
  startLine: unknown;
  endLine: unknown;
  /** The function, resource or key there. */
  inside: string;
  snippet: string;
  /** The line with which the snippet begins. */
  snippetLine: unknown;
  fix: string;
  /** What tells it from others of its rule in its file, the same when lines move. */
  print: string;
  status?: ReportFinding['status'];
  suppressions?: FindingDetail['suppressions'];
  score?: number | null;
  ofRule: Fields;
  ofFinding: Fields;
}

function lineOf(field: string, value: unknown): object {
  const line = numberOf(value);
  return line !== null && Number.isInteger(line) && line >= 1 && line <= maxLine ? { [field]: line } : {};
}

function pagesAt(url: string): ReportFinding['targets'] {
  return url === '' ? [] : [{ targetUid: identifierOf(url, longest.uid), webPage: { url, visits: 1 } }];
}

/** Makes findings in files of one report; equal ones are told apart by their order. */
export class CodeFindings {
  private readonly times = new Map<string, number>();

  constructor(
    private readonly roots: SourceRoots,
    private readonly kept: Keeping,
  ) {}

  entryOf(of: CodeFinding, asset: AssetDraft, cuts: Cuts): ReportEntry {
    const file = this.below(of.file);
    const properties = bagOf(of.ofFinding, 'the property', cuts);
    const { url = '' } = of;
    const place = compact({
      path: file,
      url,
      ...lineOf('startLine', of.startLine),
      ...lineOf('endLine', of.endLine),
      name: of.inside,
      snippet: of.snippet,
    });
    const score = of.score ?? null;
    const detail = compact<FindingDetail>({
      message: of.message,
      identifiers: identifiersIn([of.rule.id, ...of.aliases], of.cwes, cuts),
      ...(score === null ? {} : { score }),
      locations: Object.keys(place).length === 0 ? [] : [place],
      fixes: of.fix === '' ? [] : [{ description: of.fix, changes: [] }],
      suppressions: of.suppressions ?? [],
      ...(properties ? { properties } : {}),
    });
    const ruleDigest = this.kept.rules.add(this.ruleOf(of, cuts), cuts);
    const line = numberOf(of.startLine);
    const where = file === '' || line === null ? file || url : `${file}:${line}`;
    const language = languageOfPath(file);
    return {
      finding: {
        asset,
        name: cuts.shortened(of.name, longest.name, 'the name'),
        severity: of.severity,
        category: of.category ?? categoryOfCwes(of.cwes),
        context: paragraphs([of.message, of.rule.description, of.fix, where, of.rule.helpUri], longest.context),
        securityTestUid: identifierOf(of.rule.id, longest.identifier),
        fingerprint: this.fingerprintOf(of, file || url, asset),
        ...(of.status ? { status: of.status } : {}),
        targets:
          file === ''
            ? pagesAt(url)
            : [
                {
                  targetUid: identifierOf(file, longest.uid),
                  codeFile: { language, path: file, ...lineOf('line', line) },
                },
              ],
        detail: detailJson(detail, cuts),
        ...(ruleDigest === null ? {} : { ruleDigest }),
        event: {
          title: where === '' ? of.name : `${of.name} in ${where.slice(-200)}`,
          description: paragraphs([of.message, of.rule.description], 10_000) || of.name,
          attachments:
            of.snippet === ''
              ? []
              : [
                  {
                    type: 'SNIPPET',
                    snippet: {
                      name: where.slice(-200) || of.rule.id.slice(0, 200),
                      ...(language === '' ? {} : { language }),
                      content: of.snippet,
                      ...lineOf('startLine', of.snippetLine),
                    },
                  },
                ],
        },
      },
      cut: cuts.reason,
    };
  }

  private ruleOf({ rule, ofRule }: CodeFinding, cuts: Cuts): FindingRule {
    const properties = bagOf(ofRule, 'the property', cuts);
    return compact<FindingRule>({
      id: identifierOf(rule.id, longest.identifier),
      name: rule.title,
      description: rule.description,
      help: rule.help,
      helpUri: rule.helpUri,
      references: cuts.list(rule.references, maxReferences, 'references'),
      ...(properties ? { properties } : {}),
    });
  }

  /** The path below the checkout: the same on every machine. */
  private below(given: string): string {
    const path = absolutePath(given);
    if (path === null) return given.replace(/^\.\//, '').slice(0, longest.path);
    const inside = this.roots.below(path);
    if (inside === null) this.kept.remarks.addAbsolute([path]);
    return (inside ?? path).slice(0, longest.path);
  }

  private fingerprintOf({ rule, print }: CodeFinding, file: string, asset: AssetDraft): string {
    const parts = JSON.stringify([rule.id, file, print]);
    const key = sha256(`${asset.class} ${asset.name} ${parts}`);
    const time = (this.times.get(key) ?? 0) + 1;
    this.times.set(key, time);
    return time === 1 ? parts : `${parts} ${time}`;
  }
}
