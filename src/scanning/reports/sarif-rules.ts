import { PayloadTooLarge } from '../../common/errors/kinds.js';
import { cwesIn } from './cwe-category.js';
import { longest } from './report-finding.js';
import { type Fields, fieldsOf, firstText, listOf, numberOf, textOf } from './report-text.js';

export const sarifLevels = ['error', 'warning', 'note', 'none'] as const;
export type SarifLevel = (typeof sarifLevels)[number];

/** What a result needs to know of its rule (SARIF 2.1.0, section 3.49). */
export interface SarifRule {
  id: string;
  title: string;
  description: string;
  helpUri: string;
  level: SarifLevel | null;
  /** `security-severity`: 0 to 10, where the rule has one. */
  score: number | null;
  cwes: number[];
  messages: Map<string, string>;
}

// Not shown: how many rules a report may have; the largest tools have some ten thousand.
const maxRules = 50_000;
const maxDescription = 1_000;

export function levelOf(value: unknown): SarifLevel | null {
  return sarifLevels.find((level) => level === value) ?? null;
}

/** `security-severity` in a property bag: a number that most tools write as text. */
export function scoreOf(properties: Fields): number | null {
  return numberOf(properties['security-severity'] ?? properties['securitySeverity'] ?? properties['security_severity']);
}

/** The weaknesses that a property bag names: in its tags, or as `cwe`. */
export function cwesInProperties(properties: Fields): number[] {
  const named = [...listOf(properties['tags']), ...listOf(properties['cwe']), ...listOf(properties['cwes'])];
  const bare = listOf(properties['cwe']).map(numberOf);
  return [...named.flatMap((tag) => cwesIn(textOf(tag, 500))), ...bare.filter((cwe) => cwe !== null)];
}

/** The weakness that a reference to a taxon names (section 3.54), or none. */
export function cwesOfTaxon(reference: unknown): number[] {
  const { id, toolComponent } = fieldsOf(reference);
  const text = textOf(id, 100);
  const taxonomy = textOf(fieldsOf(toolComponent)['name'], 100);
  if (/^\d{1,5}$/.test(text)) return /^cwe$/i.test(taxonomy) ? [Number(text)] : [];
  return cwesIn(text);
}

function messagesOf(strings: unknown): Map<string, string> {
  const entries = Object.entries(fieldsOf(strings)).slice(0, 100);
  return new Map(
    entries.map(([id, message]) => [id, firstText(4_000, fieldsOf(message)['text'], fieldsOf(message)['markdown'])]),
  );
}

function toRule(value: unknown): SarifRule {
  const rule = fieldsOf(value);
  const properties = fieldsOf(rule['properties']);
  const short = textOf(fieldsOf(rule['shortDescription'])['text'], longest.name);
  const full = textOf(fieldsOf(rule['fullDescription'])['text'], maxDescription);
  const related = listOf(rule['relationships']).flatMap((relation) => cwesOfTaxon(fieldsOf(relation)['target']));
  return {
    id: textOf(rule['id'], longest.context),
    title: firstText(longest.name, short, rule['name']),
    description: full === '' ? short : full,
    helpUri: textOf(rule['helpUri'], longest.url),
    level: levelOf(fieldsOf(rule['defaultConfiguration'])['level']),
    score: scoreOf(properties),
    cwes: [...cwesInProperties(properties), ...related],
    messages: messagesOf(rule['messageStrings']),
  };
}

/** The rules of one component of a tool: its driver, or an extension. */
export class SarifComponent {
  name = '';
  guid = '';
  globalMessages = new Map<string, string>();
  private readonly rules: (SarifRule | undefined)[] = [];
  private readonly rulesById = new Map<string, SarifRule>();

  add(index: number, value: unknown): void {
    if (index >= maxRules) throw new PayloadTooLarge(`The report has more than ${maxRules} rules: split it`);
    const rule = toRule(value);
    this.rules[index] = rule;
    if (rule.id !== '' && !this.rulesById.has(rule.id)) this.rulesById.set(rule.id, rule);
  }

  setGlobalMessages(strings: unknown): void {
    this.globalMessages = messagesOf(strings);
  }

  byIndex(index: number | null): SarifRule | undefined {
    return index === null ? undefined : this.rules[index];
  }

  byId(id: string): SarifRule | undefined {
    return this.rulesById.get(id);
  }
}

/** The components of a run's tool, and which of their rules a result is about (section 3.27.7). */
export class SarifTool {
  readonly driver = new SarifComponent();
  private readonly extensions: SarifComponent[] = [];

  extension(index: number): SarifComponent {
    if (index >= maxRules) throw new PayloadTooLarge(`The report's tool has more than ${maxRules} extensions`);
    return (this.extensions[index] ??= new SarifComponent());
  }

  /** The rule that a result names by its index, its id, or both; by the id where they are at odds. */
  ruleOf(result: Fields): { id: string; rule: SarifRule | undefined; component: SarifComponent } {
    const reference = fieldsOf(result['rule']);
    const component = this.componentOf(fieldsOf(reference['toolComponent']));
    const id = firstText(longest.context, result['ruleId'], reference['id']);
    const indexed = component.byIndex(numberOf(result['ruleIndex']) ?? numberOf(reference['index']));
    if (indexed && (id === '' || isWithin(id, indexed.id))) return { id: id || indexed.id, rule: indexed, component };
    const all = [component, this.driver, ...this.extensions];
    const owner = all.find((one) => one?.byId(id)) ?? all.find((one) => one?.byId(parentOf(id))) ?? component;
    return { id, rule: owner.byId(id) ?? owner.byId(parentOf(id)), component: owner };
  }

  private componentOf(reference: Fields): SarifComponent {
    const index = numberOf(reference['index']);
    const byIndex = index === null ? undefined : this.extensions[index];
    if (byIndex) return byIndex;
    const [guid, name] = [textOf(reference['guid'], 100), textOf(reference['name'], longest.name)];
    const named = this.extensions.find(
      (one) => one && ((guid !== '' && one.guid === guid) || (name !== '' && one.name === name)),
    );
    return named ?? this.driver;
  }
}

/** A result's rule id may be that of its rule and more, after a slash (section 3.5.4). */
function isWithin(id: string, ruleId: string): boolean {
  return ruleId === '' || id === ruleId || id.startsWith(`${ruleId}/`);
}

function parentOf(id: string): string {
  return id.slice(0, Math.max(0, id.lastIndexOf('/')));
}
