// Small faults that somebody may make: each mutant is a file's text with one of them.
import ts from 'typescript';

const { SyntaxKind: Kind } = ts;

const operators: Readonly<Record<string, readonly string[]>> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '&&': ['||'],
  '||': ['&&'],
  '??': ['&&'],
  '+=': ['-='],
  '-=': ['+='],
};

/** Names of functions and methods that are easily taken for one another. */
const names: Readonly<Record<string, string>> = {
  min: 'max',
  max: 'min',
  round: 'floor',
  floor: 'ceil',
  ceil: 'floor',
  some: 'every',
  every: 'some',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
};

/** Methods whose call a mutant leaves out: `text.trim()` becomes `text`. */
const droppable = new Set([
  'trim',
  'toLowerCase',
  'toUpperCase',
  'normalize',
  'filter',
  'sort',
  'toSorted',
  'slice',
  'reverse',
]);

/** In statements: what is looked for, and what stands there instead. */
const sqlFaults: readonly (readonly [RegExp, string])[] = [
  [/(?<= )<(?= )/g, '<='],
  [/(?<= )<=(?= )/g, '<'],
  [/(?<= )>(?= )/g, '>='],
  [/(?<= )>=(?= )/g, '>'],
  [/(?<= )=(?= )/g, '<>'],
  [/(?<= )<>(?= )/g, '='],
  [/(?<= )\+(?= )/g, '-'],
  [/(?<= )-(?= )/g, '+'],
  [/(?<= )\*(?= )/g, '/'],
  [/\bAND\b/g, 'OR'],
  [/\bOR\b/g, 'AND'],
  [/\bNOT EXISTS\b/g, 'EXISTS'],
  [/(?<!NOT )\bEXISTS\b/g, 'NOT EXISTS'],
  [/\bIS NOT NULL\b/g, 'IS NULL'],
  [/\bIS NULL\b/g, 'IS NOT NULL'],
  [/\bleast\b/g, 'greatest'],
  [/\bgreatest\b/g, 'least'],
  [/\bFOR (?:NO KEY )?UPDATE(?: OF \w+)?(?: SKIP LOCKED)?/g, ''],
];

const isSql = (text: string): boolean => /\b(?:SELECT|UPDATE|INSERT|DELETE|WHERE|EXISTS)\b/.test(text);

/** Whether a literal is what a rule compares, chooses or lists, and no text for people. */
function isPartOfRule(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isBinaryExpression(parent)) return /^[!=<>]==?$/.test(parent.operatorToken.getText());
  if (ts.isConditionalExpression(parent)) return true;
  if (ts.isCaseClause(parent) || ts.isArrayLiteralExpression(parent) || ts.isReturnStatement(parent)) return true;
  return ts.isPropertyAssignment(parent) && parent.initializer === node;
}

/** Where no mutant says anything: types, imports, what errors say, and marks that other tests hold. */
function isPassedOver(node: ts.Node): boolean {
  return (
    ts.isTypeNode(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isImportDeclaration(node) ||
    ts.isDecorator(node) ||
    (ts.isNewExpression(node) && ts.isThrowStatement(node.parent))
  );
}

/** Whether a text, or a part of a template, is SQL. */
function isInStatement(node: ts.Node, file: ts.SourceFile): boolean {
  const isPart = ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);
  if (!isPart && !ts.isStringLiteralLike(node)) return false;
  if (file.fileName.endsWith('.statements.ts')) return true;
  const whole = ts.isTemplateSpan(node.parent) ? node.parent.parent : isPart ? node.parent : node;
  return file.fileName.endsWith('.repository.ts') && isSql(whole.getText(file));
}

/** A part of a file, and what stands there instead. */
interface Fault {
  start: number;
  end: number;
  replacement: string;
}

/** The faults that a node itself can have, without those of the nodes in it. */
function* faultsOf(node: ts.Node, file: ts.SourceFile): Generator<Fault> {
  const text = (part: ts.Node) => part.getText(file);
  const at = (part: ts.Node, replacement: string): Fault => ({
    start: part.getStart(file),
    end: part.getEnd(),
    replacement,
  });
  if (ts.isBinaryExpression(node)) {
    const operator = text(node.operatorToken);
    const isOfTexts =
      operator.startsWith('+') &&
      [node.left, node.right].some((side) => ts.isStringLiteralLike(side) || ts.isTemplateExpression(side));
    if (!isOfTexts) for (const other of operators[operator] ?? []) yield at(node.operatorToken, other);
  }
  if (ts.isPrefixUnaryExpression(node) && node.operator === Kind.ExclamationToken) yield at(node, text(node.operand));
  if (ts.isIfStatement(node) || ts.isConditionalExpression(node)) {
    const condition = ts.isIfStatement(node) ? node.expression : node.condition;
    yield at(condition, 'true');
    yield at(condition, 'false');
  }
  if (node.kind === Kind.TrueKeyword) yield at(node, 'false');
  if (node.kind === Kind.FalseKeyword) yield at(node, 'true');
  if (ts.isNumericLiteral(node)) yield at(node, `${Number(node.text.replaceAll('_', '')) + 1}`);
  if (ts.isStringLiteral(node) && isPartOfRule(node)) yield at(node, node.text === '' ? "'mutant'" : "''");
  if (ts.isExpressionStatement(node) || ts.isThrowStatement(node) || ts.isContinueStatement(node)) {
    const isSuper = text(node).startsWith('super(');
    if (!isSuper) yield at(node, ';');
  }
  if (ts.isReturnStatement(node) && node.expression && text(node.expression) !== 'undefined')
    yield at(node, 'return undefined;');
  if (ts.isPropertyAccessExpression(node)) {
    const name = text(node.name);
    const other = Object.hasOwn(names, name) ? names[name] : undefined;
    if (other !== undefined) yield at(node.name, other);
    if (droppable.has(name) && ts.isCallExpression(node.parent) && node.parent.expression === node) {
      yield at(node.parent, text(node.expression));
    }
  }
  if (isInStatement(node, file)) {
    for (const [pattern, replacement] of sqlFaults) {
      for (const { index, 0: found } of text(node).matchAll(pattern)) {
        const start = node.getStart(file) + index;
        yield { start, end: start + found.length, replacement };
      }
    }
  }
}

export interface Mutant {
  id: string;
  /** From 1. */
  line: number;
  /** The line as it is, and as it is with the fault. */
  before: string;
  after: string;
  /** The whole file with the fault. */
  text: string;
}

/** The mutants of a file, in its order; those of some lines alone, the first and the last one included. */
export function mutantsOf(
  fileName: string,
  source: string,
  [first = 1, last = Infinity]: readonly number[] = [],
): Mutant[] {
  const file = ts.createSourceFile(fileName, source, ts.ScriptTarget.Latest, true);
  const mutants: Mutant[] = [];
  const visit = (node: ts.Node): void => {
    if (isPassedOver(node)) return;
    for (const { start, end, replacement } of faultsOf(node, file)) {
      const line = file.getLineAndCharacterOfPosition(start).line + 1;
      if (line < first || line > last) continue;
      const text = source.slice(0, start) + replacement + source.slice(end);
      const lineOf = (of: string) => (of.split('\n')[line - 1] ?? '').trim();
      mutants.push({
        id: `${fileName}:${line}#${mutants.length + 1}`,
        line,
        before: lineOf(source),
        after: lineOf(text),
        text,
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return mutants;
}
