import type { FindingRule, FoundIdentifier } from '../issues/finding-detail.js';
import { cwesIn } from './cwe-category.js';
import { Cuts } from './cuts.js';
import { bagOf, compact, namedIn, textsIn } from './report-details.js';
import { longest } from './report-finding.js';
import type { Kept, ReportRemarks } from './report-remarks.js';
import { type Fields, fieldsOf, firstText, listOf, numberOf, textOf } from './report-text.js';
import type { SarifBudget } from './sarif-budget.js';

export const sarifLevels = ['error', 'warning', 'note', 'none'] as const;
export type SarifLevel = (typeof sarifLevels)[number];

/** The parts of a rule that results need (SARIF 2.1.0, section 3.49). */
export interface SarifRule {
  id: string;
  /** The ids that it had before, and the guids that stand for it (sections 3.49.4 to 3.49.7). */
  formerIds: string[];
  guids: string[];
  title: string;
  description: string;
  helpUri: string;
  level: SarifLevel | null;
  /** `security-severity`: 0 to 10, if the rule has one. */
  score: number | null;
  cwes: number[];
  messages: Map<string, string>;
  /** The rule as people are to read it. */
  found: FindingRule;
  /** The identifiers in its tags and properties. */
  identifiers: FoundIdentifier[];
  /** The digest under which it is kept, once a result has named it. */
  digest?: string | null;
}

/** The parts of a rule that are kept, or used for something that is. */
const keptOfRule: Kept = {
  id: true,
  name: true,
  guid: true,
  deprecatedIds: true,
  deprecatedGuids: true,
  deprecatedNames: true,
  shortDescription: { text: true },
  fullDescription: { text: true },
  messageStrings: true,
  defaultConfiguration: true,
  help: { text: true, markdown: true },
  helpUri: true,
  relationships: true,
  properties: true,
};

// Unspecified: how many rules and extensions of a tool are read; the largest tools have some ten thousand rules.
export const maxRules = 50_000;
export const maxExtensions = 1_000;
const maxDescription = 4_000;
const maxCwes = 100;
/** More than a finding keeps, so that it tells of those that are cut. */
const maxIdentifiers = 1_000;
const maxHelp = 20_000;
const maxTags = 100;
const maxFormerIds = 10;
const maxGuids = 20;
const maxGuid = 100;

export function levelOf(value: unknown): SarifLevel | null {
  return sarifLevels.find((level) => level === value) ?? null;
}

/** `security-severity` in a property bag, a number that most tools write as text. */
export function scoreOf(properties: Fields): number | null {
  return numberOf(properties['security-severity'] ?? properties['securitySeverity'] ?? properties['security_severity']);
}

/** The weaknesses in a property bag: in its tags, or as `cwe`. */
export function cwesInProperties(properties: Fields): number[] {
  const named = [...listOf(properties['tags']), ...listOf(properties['cwe']), ...listOf(properties['cwes'])];
  const bare = listOf(properties['cwe']).map(numberOf);
  return [...named.flatMap((tag) => cwesIn(textOf(tag, 500))), ...bare.filter((cwe) => cwe !== null)];
}

/** The weakness in a reference to a taxon (section 3.54), if any. */
export function cwesOfTaxon(reference: unknown): number[] {
  const { id, toolComponent } = fieldsOf(reference);
  const text = textOf(id, 100);
  const taxonomy = textOf(fieldsOf(toolComponent)['name'], 100);
  if (/^\d{1,5}$/.test(text)) return /^cwe$/i.test(taxonomy) ? [Number(text)] : [];
  return cwesIn(text);
}

const noMessages = new Map<string, string>();

function messagesOf(strings: unknown): Map<string, string> {
  const entries = Object.entries(fieldsOf(strings)).slice(0, 100);
  if (entries.length === 0) return noMessages;
  return new Map(
    entries.map(([id, message]) => [
      textOf(id, 200),
      firstText(4_000, fieldsOf(message)['text'], fieldsOf(message)['markdown']),
    ]),
  );
}

/** The rule as people are to read it. */
function foundRule(rule: Fields, cuts: Cuts): FindingRule {
  const { text, markdown } = fieldsOf(rule['help']);
  const { tags, ...own } = fieldsOf(rule['properties']);
  const furtherFields = [
    'guid',
    'deprecatedIds',
    'deprecatedGuids',
    'deprecatedNames',
    'defaultConfiguration',
    'relationships',
  ];
  const sarif = bagOf(Object.fromEntries(furtherFields.map((field) => [field, rule[field]])), 'the field', cuts);
  const properties = bagOf({ ...own, ...(sarif ? { sarif } : {}) }, 'the property', cuts);
  return compact<FindingRule>({
    id: textOf(rule['id'], longest.identifier),
    name: firstText(longest.name, rule['name'], fieldsOf(rule['shortDescription'])['text']),
    description: descriptionOf(rule),
    // Markdown says the same in a form that people read, and mostly more.
    help: cuts.firstText(maxHelp, 'the help', markdown, text),
    helpUri: textOf(rule['helpUri'], longest.url),
    tags: cuts.list(
      listOf(tags).flatMap((tag) => textOf(tag, 200) || []),
      maxTags,
      'tags',
    ),
    ...(properties ? { properties } : {}),
  });
}

function descriptionOf(rule: Fields): string {
  const short = textOf(fieldsOf(rule['shortDescription'])['text'], maxDescription);
  const full = textOf(fieldsOf(rule['fullDescription'])['text'], maxDescription);
  return short !== '' && full !== '' && !full.includes(short) ? `${short}\n\n${full}` : full || short;
}

function toRule(value: unknown, cuts: Cuts): SarifRule {
  const rule = fieldsOf(value);
  const properties = fieldsOf(rule['properties']);
  const short = textOf(fieldsOf(rule['shortDescription'])['text'], maxDescription);
  const full = textOf(fieldsOf(rule['fullDescription'])['text'], maxDescription);
  const found = foundRule(rule, cuts);
  const related = listOf(rule['relationships']).flatMap((relation) => cwesOfTaxon(fieldsOf(relation)['target']));
  return {
    id: textOf(rule['id'], longest.context),
    formerIds: cuts.list(
      listOf(rule['deprecatedIds']).flatMap((id) => textOf(id, longest.identifier) || []),
      maxFormerIds,
      'deprecatedIds',
    ),
    guids: [rule['guid'], ...listOf(rule['deprecatedGuids'])]
      .slice(0, maxGuids)
      .flatMap((guid) => textOf(guid, maxGuid).toLowerCase() || []),
    title: firstText(maxDescription, short, rule['name']),
    description: full === '' ? short : full,
    helpUri: textOf(rule['helpUri'], longest.url),
    level: levelOf(fieldsOf(rule['defaultConfiguration'])['level']),
    score: scoreOf(properties),
    cwes: [...new Set([...cwesInProperties(properties), ...related])].slice(0, maxCwes),
    messages: messagesOf(rule['messageStrings']),
    found,
    identifiers: namedIn([...(found.tags ?? []), ...textsIn(properties)]).slice(0, maxIdentifiers),
  };
}

function lengthOf(messages: Map<string, string>): number {
  let length = 0;
  for (const [id, text] of messages) length += id.length + text.length;
  return length;
}

/** How much a rule holds that only people read. */
function helpLength({ found }: SarifRule): number {
  const { help = '', helpUri = '', description = '', tags = [], properties = {} } = found;
  return help.length + helpUri.length + description.length + tags.join('').length + JSON.stringify(properties).length;
}

/** Whether a rule is empty. */
function isBlank({ id, title, description, helpUri, level, score, cwes, messages }: SarifRule): boolean {
  const says = id + title + description + helpUri;
  return says === '' && level === null && score === null && cwes.length === 0 && messages.size === 0;
}

/** The rules of one component of a tool: its driver or an extension. */
export class SarifComponent {
  name = '';
  version = '';
  guid = '';
  globalMessages = noMessages;
  private readonly rules = new Map<number, SarifRule>();
  private readonly rulesById = new Map<string, SarifRule>();
  /** By what a rule was called before. */
  private readonly rulesByFormerId = new Map<string, SarifRule>();
  private readonly rulesByGuid = new Map<string, SarifRule>();

  add(index: number, value: unknown, budget: SarifBudget, remarks: ReportRemarks): void {
    if (budget.isSpent) return;
    const cuts = new Cuts();
    const rule = toRule(value, cuts);
    if (isBlank(rule)) return;
    remarks.compare(value, keptOfRule, 'rules[]');
    if (!budget.takesHelp(helpLength(rule))) {
      rule.found = { id: rule.found.id };
      cuts.note('the help and properties of the rules are too large to keep them all');
    }
    if (cuts.reason !== null) remarks.cutRule(`${rule.id.slice(0, 100)}: ${cuts.reason}`);
    const { id, title, description, helpUri, messages, cwes } = rule;
    const others = [...rule.formerIds, ...rule.guids];
    const names = id.length + title.length + others.join('').length;
    const length = names + description.length + helpUri.length + cwes.length + lengthOf(messages);
    if (!budget.takes(1 + messages.size + others.length, length)) return;
    this.rules.set(index, rule);
    if (id !== '' && !this.rulesById.has(id)) this.rulesById.set(id, rule);
    for (const former of rule.formerIds) if (!this.rulesByFormerId.has(former)) this.rulesByFormerId.set(former, rule);
    for (const guid of rule.guids) if (!this.rulesByGuid.has(guid)) this.rulesByGuid.set(guid, rule);
  }

  setGlobalMessages(strings: unknown, budget: SarifBudget): void {
    if (budget.isSpent) return;
    const messages = messagesOf(strings);
    if (budget.takes(messages.size, lengthOf(messages))) this.globalMessages = messages;
  }

  get ruleIds(): Iterable<string> {
    return [...this.rulesById.keys(), ...this.rulesByFormerId.keys()];
  }

  byIndex(index: number | null): SarifRule | undefined {
    return index === null ? undefined : this.rules.get(index);
  }

  byId(id: string): SarifRule | undefined {
    return this.rulesById.get(id) ?? this.rulesByFormerId.get(id);
  }

  byGuid(guid: string): SarifRule | undefined {
    return this.rulesByGuid.get(guid);
  }
}

/** The extensions of a tool by the keys that results use; the first one keeps a key. */
class KnownExtensions {
  readonly byGuid = new Map<string, SarifComponent>();
  readonly byName = new Map<string, SarifComponent>();
  readonly byRuleId = new Map<string, SarifComponent>();

  static of(extensions: Iterable<SarifComponent>): KnownExtensions {
    const known = new KnownExtensions();
    for (const extension of extensions) {
      setFirst(known.byGuid, extension.guid, extension);
      setFirst(known.byName, extension.name, extension);
      for (const id of extension.ruleIds) setFirst(known.byRuleId, id, extension);
    }
    return known;
  }
}

function setFirst(map: Map<string, SarifComponent>, key: string, extension: SarifComponent): void {
  if (key !== '' && !map.has(key)) map.set(key, extension);
}

/** The components of a run's tool; finds the rule of a result (section 3.27.7). */
export class SarifTool {
  readonly driver = new SarifComponent();
  private readonly extensions = new Map<number, SarifComponent>();
  private known: KnownExtensions | null = null;

  /** Returns the extension, and creates it if it is new; null if it exceeds the budget. */
  extension(index: number, budget: SarifBudget): SarifComponent | null {
    const known = this.extensions.get(index);
    if (known) return known;
    // Its name and its maps weigh more than a rule.
    if (!budget.takes(5, 500)) return null;
    const extension = new SarifComponent();
    this.extensions.set(index, extension);
    this.known = null;
    return extension;
  }

  /** The rule that a result names by index, id or guid; the id decides where they contradict each other. */
  ruleOf(result: Fields): { id: string; rule: SarifRule | undefined; component: SarifComponent } {
    const reference = fieldsOf(result['rule']);
    const component = this.componentOf(fieldsOf(reference['toolComponent']));
    const id = firstText(longest.context, result['ruleId'], reference['id']);
    const indexed = component.byIndex(numberOf(result['ruleIndex']) ?? numberOf(reference['index']));
    if (indexed && (id === '' || isWithin(id, indexed.id))) return { id: id || indexed.id, rule: indexed, component };
    const named = id === '' ? component.byGuid(textOf(reference['guid'], maxGuid).toLowerCase()) : undefined;
    if (named) return { id: named.id, rule: named, component };
    const owner = this.ownerOf(id, component) ?? this.ownerOf(parentOf(id), component) ?? component;
    return { id, rule: owner.byId(id) ?? owner.byId(parentOf(id)), component: owner };
  }

  private componentOf(reference: Fields): SarifComponent {
    const index = numberOf(reference['index']);
    const byIndex = index === null ? undefined : this.extensions.get(index);
    if (byIndex) return byIndex;
    const [guid, name] = [textOf(reference['guid'], 100), textOf(reference['name'], longest.name)];
    if (guid === '' && name === '') return this.driver;
    const { byGuid, byName } = this.knownExtensions();
    return byGuid.get(guid) ?? byName.get(name) ?? this.driver;
  }

  private ownerOf(id: string, component: SarifComponent): SarifComponent | undefined {
    if (component.byId(id)) return component;
    return this.driver.byId(id) ? this.driver : this.knownExtensions().byRuleId.get(id);
  }

  /** Created for the first result, when the whole tool has been read. */
  private knownExtensions(): KnownExtensions {
    this.known ??= KnownExtensions.of(this.extensions.values());
    return this.known;
  }
}

/** What the id of a result was while its rule had other ids. */
export function formerIdsOf(id: string, rule: SarifRule | undefined): string[] {
  if (!rule || rule.id === '' || !isWithin(id, rule.id)) return [];
  return rule.formerIds.map((former) => former + id.slice(rule.id.length)).filter((former) => former !== id);
}

/** A result's rule id may be that of its rule and more, after a slash (section 3.5.4). */
function isWithin(id: string, ruleId: string): boolean {
  return ruleId === '' || id === ruleId || id.startsWith(`${ruleId}/`);
}

function parentOf(id: string): string {
  return id.slice(0, Math.max(0, id.lastIndexOf('/')));
}
