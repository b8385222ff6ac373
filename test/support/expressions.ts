import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { check } from 'recheck';
import ts from 'typescript';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A regular expression in the sources; without a pattern if only running the code would give it. */
export interface Expression {
  place: string;
  pattern: string | undefined;
  flags: string;
}

/** Built at run time, not from a caller's text, and linear by construction. */
const judgedByHand = new Map([
  ['src/platform/cache/cacheable-routes.ts', 'paths of our own routes, with ([^/]+) between slashes'],
]);

/** Every regular expression under `src`: literals, and arguments of `RegExp`. */
export function findExpressions(): Expression[] {
  return readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .flatMap((entry) => expressionsIn(join(entry.parentPath, entry.name)))
    .filter(({ place, pattern }) => pattern !== undefined || !judgedByHand.has(place.replace(/:\d+$/, '')));
}

/** The expressions that recheck does not find linear in the text's length, one a line. */
export async function findSlowExpressions(expressions: Expression[]): Promise<string[]> {
  const verdicts = new Map<string, string | null>();
  const found: string[] = [];
  for (const expression of expressions) {
    const { place, pattern = '', flags } = expression;
    const key = `/${pattern}/${flags}`;
    const verdict = verdicts.has(key) ? verdicts.get(key) : await slownessOf(expression);
    verdicts.set(key, verdict ?? null);
    if (verdict) found.push(`${place}  ${key}  ${verdict}`);
  }
  return found;
}

/** Long enough even on a busy machine. */
const patienceMs = 60_000;
/** recheck tries an attack by the clock, and a busy machine is slow by itself: one of several tries shows what is linear. */
const tries = 4;

async function slownessOf({ pattern, flags }: Expression): Promise<string | null> {
  if (pattern === undefined) return 'is put together while running: write it as a literal, so that it can be checked';
  let verdict = await check(pattern, flags, { timeout: patienceMs });
  for (let done = 1; verdict.status === 'vulnerable' && done < tries; done += 1) {
    verdict = await check(pattern, flags, { timeout: patienceMs });
  }
  if (verdict.status === 'safe') return null;
  if (verdict.status === 'unknown') return `cannot be judged (${verdict.error.kind}): write it more simply`;
  return `is ${verdict.complexity.summary}, as with ${verdict.attack.pattern}`;
}

function expressionsIn(path: string): Expression[] {
  const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  const found: Expression[] = [];
  const visit = (node: ts.Node): void => {
    const expression = expressionOf(node, file);
    if (expression) found.push(expression);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function expressionOf(node: ts.Node, file: ts.SourceFile): Expression | null {
  const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
  const place = `${relative(root, file.fileName)}:${line + 1}`;
  if (ts.isRegularExpressionLiteral(node)) {
    const end = node.text.lastIndexOf('/');
    return { place, pattern: node.text.slice(1, end), flags: node.text.slice(end + 1) };
  }
  const isCall = ts.isNewExpression(node) || ts.isCallExpression(node);
  if (!isCall || node.expression.getText(file) !== 'RegExp') return null;
  const [pattern, flags] = node.arguments ?? [];
  return { place, pattern: pattern && textOf(pattern, file), flags: (flags && textOf(flags, file)) ?? '' };
}

/** The text of a string literal, or of a template of strings and constants of the same file. */
function textOf(node: ts.Expression, file: ts.SourceFile): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isIdentifier(node)) return constantOf(node.text, file);
  if (ts.isTemplateExpression(node)) return joined(node, file, ({ text }) => text);
  if (!ts.isTaggedTemplateExpression(node) || node.tag.getText(file) !== 'String.raw') return undefined;
  const raw = (part: ts.TemplateLiteralLikeNode): string => part.rawText ?? part.text;
  return ts.isTemplateExpression(node.template) ? joined(node.template, file, raw) : raw(node.template);
}

function joined(
  { head, templateSpans }: ts.TemplateExpression,
  file: ts.SourceFile,
  read: (part: ts.TemplateLiteralLikeNode) => string,
): string | undefined {
  const parts = templateSpans.flatMap(({ expression, literal }) => [textOf(expression, file), read(literal)]);
  return parts.includes(undefined) ? undefined : [read(head), ...parts].join('');
}

function constantOf(name: string, file: ts.SourceFile): string | undefined {
  let found: string | undefined;
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.name.getText(file) === name && node.initializer) {
      found ??= textOf(node.initializer, file);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}
