import { TokenType } from '@streamparser/json';
import { maxJsonDepth } from '../../platform/http/json-depth.js';
import { DeepContainers } from './deep-containers.js';

export type JsonStep = string | number;

/**
 * A hit on a path: a container that opens there, a scalar where the path goes on, or the whole value at the path's end; null
 * with the fault where it could not be built.
 */
export type JsonHit =
  | { path: string; at: JsonStep[]; kind: 'array' | 'object' | 'scalar' }
  | { path: string; at: JsonStep[]; kind: 'value'; value: unknown; fault: string | null };

export interface JsonSelection {
  /** Such as `runs[].results[]`: keys, and `[]` for the elements of an array. */
  paths: readonly string[];
  /** Paths whose values are reported, but not built. */
  watched?: readonly string[];
  /** Paths whose values are skipped: another reading of the same bytes says whether they are valid. */
  passed?: readonly string[];
  /** Keys to omit from the values at any depth. */
  leftOut?: ReadonlySet<string>;
}

// A value is built in memory, so its size is bounded; a larger one is reported as a fault.
const maxValues = 200_000;
const maxCharacters = 16 * 2 ** 20;
const tooLarge = 'is too large';
const tooDeep = `is nested deeper than ${maxJsonDepth} levels`;

class PathNode {
  readonly children = new Map<string, PathNode>();
  isEnd = false;
  isPassed = false;

  constructor(readonly path: string) {}

  static of({ paths, watched = [], passed = [] }: JsonSelection): PathNode {
    const root = new PathNode('');
    for (const path of paths) nodeBelow(root, path).isEnd = true;
    for (const path of watched) nodeBelow(root, path);
    for (const path of passed) nodeBelow(root, path).isPassed = true;
    return root;
  }
}

function nodeBelow(root: PathNode, path: string): PathNode {
  let node = root;
  let text = '';
  for (const step of path.match(/\[\]|[^.[\]]+/g) ?? []) {
    text += step === '[]' || text === '' ? step : `.${step}`;
    const next = node.children.get(step) ?? new PathNode(text);
    node.children.set(step, next);
    node = next;
  }
  return node;
}

/** The path as people write it: `runs[0].tool.driver`. */
export function pathInWords(at: readonly JsonStep[]): string {
  return at
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : `${index === 0 ? '' : '.'}${step}`))
    .join('');
}

type Container = unknown[] | Record<string, unknown>;

interface Frame {
  isArray: boolean;
  /** The container's node on the paths, if it has one. */
  node: PathNode | undefined;
  /** The value being built, if it is built. */
  target: Container | null;
  key: JsonStep;
}

/** Whether the elements of the container are values to select or to skip. */
function isList({ isArray, node }: Frame): boolean {
  const element = isArray ? node?.children.get('[]') : undefined;
  return element !== undefined && (element.isEnd || element.isPassed);
}

type State = 'value' | 'value or end' | 'key' | 'key or end' | 'colon' | 'comma or end' | 'done';

/** Finds the values on the paths among the tokens of one JSON document; keeps nothing of the rest. */
export class JsonSelector {
  private readonly root: PathNode;
  private readonly leftOut: ReadonlySet<string>;
  private readonly frames: Frame[] = [];
  private state: State = 'value';
  private hits: JsonHit[] = [];
  /** The depth of the outermost container being built, or 0. */
  private buildDepth = 0;
  private values = 0;
  private characters = 0;
  private fault: string | null = null;
  /** The number of skipped elements. */
  passedElements = 0;
  private readonly deep = new DeepContainers();

  constructor(selection: JsonSelection) {
    this.root = PathNode.of(selection);
    this.leftOut = selection.leftOut ?? new Set();
  }

  get isDone(): boolean {
    return this.state === 'done';
  }

  /** Whether the array that is open now holds elements that `take` may take whole, and which of the two comes next. */
  get nextWhole(): 'element' | 'comma' | null {
    const { top } = this;
    if (this.isWithin || !top || !isList(top)) return null;
    if (this.state === 'comma or end') return 'comma';
    return this.state === 'value' || this.state === 'value or end' ? 'element' : null;
  }

  /** Whether a value is being built, or nothing matters here. */
  get isWithin(): boolean {
    return this.buildDepth > 0 || this.deep.depth > 0;
  }

  /** Whether this lies in an array whose elements `take` may take. */
  get isInList(): boolean {
    return this.frames.some(isList);
  }

  /** The deepest nesting of an element that is taken whole. */
  get depthLeft(): number {
    return maxJsonDepth - this.frames.length;
  }

  /** Whether to skip the next element. */
  get passesNext(): boolean {
    return this.top?.node?.children.get('[]')?.isPassed ?? false;
  }

  /** Takes the next element as a whole, as tokens would have built it. */
  take(value: unknown): void {
    if (this.passesNext) this.passedElements++;
    else this.found(value, null);
    this.ended();
  }

  /** The hits since the last call. */
  taken(): JsonHit[] {
    const { hits } = this;
    this.hits = [];
    return hits;
  }

  write(token: TokenType, value: unknown): void {
    switch (token) {
      case TokenType.LEFT_BRACE:
      case TokenType.LEFT_BRACKET:
        return this.open(token === TokenType.LEFT_BRACKET);
      case TokenType.RIGHT_BRACE:
      case TokenType.RIGHT_BRACKET:
        return this.close(token === TokenType.RIGHT_BRACKET);
      case TokenType.COLON:
        this.assertFits(this.state === 'colon');
        this.state = 'value';
        return;
      case TokenType.COMMA:
        return this.next();
      default:
        if (this.state === 'key' || this.state === 'key or end') this.name(token, value);
        else this.scalar(value);
    }
  }

  private assertFits(fits: boolean): void {
    if (!fits) throw new Error('This token cannot stand here');
  }

  private get top(): Frame | undefined {
    return this.frames.at(-1);
  }

  private get isInArray(): boolean | undefined {
    return this.deep.depth > 0 ? this.deep.isArray : this.top?.isArray;
  }

  /** The node of the value that begins now. */
  private nodeHere(): PathNode | undefined {
    const { top } = this;
    if (!top) return this.root;
    if (top.isArray) return top.node?.children.get('[]');
    return top.key === '[]' ? undefined : top.node?.children.get(String(top.key));
  }

  private at(): JsonStep[] {
    return this.frames.map(({ key }) => key);
  }

  private open(isArray: boolean): void {
    this.assertFits(this.state === 'value' || this.state === 'value or end');
    if (this.frames.length >= maxJsonDepth) return this.openDeep(isArray);
    const node = this.buildDepth > 0 ? undefined : this.nodeHere();
    let target: Container | null = null;
    if (this.buildDepth > 0) target = this.addContainer(isArray);
    else if (node?.isEnd) target = this.startBuilding(isArray);
    else if (node?.isPassed) this.passedElements++;
    else if (node) this.hits.push({ path: node.path, at: this.at(), kind: isArray ? 'array' : 'object' });
    this.frames.push({ isArray, node, target, key: isArray ? 0 : '' });
    this.state = isArray ? 'value or end' : 'key or end';
  }

  /** Tracks the brackets of a container that is too deep to matter. */
  private openDeep(isArray: boolean): void {
    if (this.buildDepth > 0) this.fault ??= tooDeep;
    this.deep.push(isArray);
    this.state = isArray ? 'value or end' : 'key or end';
  }

  private startBuilding(isArray: boolean): Container {
    this.buildDepth = this.frames.length + 1;
    this.values = 0;
    this.characters = 0;
    this.fault = null;
    return isArray ? [] : {};
  }

  private addContainer(isArray: boolean): Container | null {
    const container: Container = isArray ? [] : {};
    return this.add(container) ? container : null;
  }

  /** Adds to the value being built; returns whether it became part of it. */
  private add(value: unknown): boolean {
    const { top } = this;
    if (!top?.target || this.fault !== null || this.deep.depth > 0) return false;
    if (typeof value === 'string') this.characters += value.length;
    if (++this.values > maxValues || this.characters > maxCharacters) this.fault = tooLarge;
    if (Array.isArray(top.target)) top.target.push(value);
    else {
      const key = String(top.key);
      if (key === '__proto__' || this.leftOut.has(key)) return false;
      top.target[key] = value;
    }
    return true;
  }

  private close(isArray: boolean): void {
    const { top } = this;
    this.assertFits(
      this.isInArray === isArray &&
        (this.state === 'comma or end' || this.state === (isArray ? 'value or end' : 'key or end')),
    );
    if (this.deep.depth > 0) this.deep.depth--;
    else {
      this.frames.pop();
      if (this.buildDepth === this.frames.length + 1) this.finishBuilding(top?.target);
    }
    this.ended();
  }

  private finishBuilding(value: unknown): void {
    this.buildDepth = 0;
    this.found(this.fault === null ? value : null, this.fault);
  }

  private found(value: unknown, fault: string | null): void {
    const path = this.nodeHere()?.path ?? '';
    this.hits.push({ path, at: this.at(), kind: 'value', value, fault });
  }

  private scalar(value: unknown): void {
    this.assertFits(this.state === 'value' || this.state === 'value or end');
    if (this.buildDepth > 0) this.add(value);
    else if (this.deep.depth === 0) this.scalarHere(value);
    this.ended();
  }

  private scalarHere(value: unknown): void {
    const node = this.nodeHere();
    if (node?.isEnd) this.found(value, null);
    else if (node?.isPassed) this.passedElements++;
    else if (node && value !== null) this.hits.push({ path: node.path, at: this.at(), kind: 'scalar' });
  }

  private name(token: TokenType, value: unknown): void {
    this.assertFits(token === TokenType.STRING);
    const { top } = this;
    if (top && this.deep.depth === 0) top.key = String(value);
    this.state = 'colon';
  }

  private next(): void {
    const { top, isInArray } = this;
    this.assertFits(top !== undefined && this.state === 'comma or end');
    if (top?.isArray && this.deep.depth === 0) top.key = Number(top.key) + 1;
    this.state = isInArray ? 'value' : 'key';
  }

  private ended(): void {
    this.state = this.frames.length > 0 ? 'comma or end' : 'done';
  }
}
