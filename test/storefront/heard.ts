import type { Page } from 'playwright-core';

/** Something that a screen reader comes to. */
export interface Heard {
  role: string;
  name: string;
  /** Such as a hint, or why the service refused what was typed. */
  description: string;
  /** Such as `level=1`, `required` or `invalid=true`. */
  states: string[];
  /** Roles and names of what it is in, from the page inward. */
  within: string[];
}

/** What has its words as its name: they are not heard once more. */
const namedByWords = new Set(['link', 'button', 'heading', 'term', 'option', 'LabelText', 'Legend', 'MenuListPopup']);
/** What has its words as its value. */
const valued = new Set(['textbox', 'searchbox', 'spinbutton', 'combobox']);
/** What tells nothing unless it has a name. */
const silent = new Set([
  'none',
  'generic',
  'InlineTextBox',
  'LabelText',
  'Legend',
  'MenuListPopup',
  'option',
  'ListMarker',
  'LineBreak',
  'paragraph',
  'strong',
  'emphasis',
  'DescriptionList',
  'definition',
  'blockquote',
  'time',
  'sectionheader',
]);
const silentWithoutName = new Set(['list', 'listitem', 'article', 'figure']);
/** What tells of news: without any it is silent. */
const live = new Set(['status', 'alert']);
const told = new Set(['level', 'checked', 'required', 'invalid', 'disabled', 'expanded', 'pressed']);

/** The page as the browser hands it to a screen reader, in the order in which it is read. */
export async function heardOn(page: Page): Promise<Heard[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  await session.detach();
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const heard: Heard[] = [];
  const visit = (id: string, within: string[], isNamed: boolean): void => {
    const node = byId.get(id);
    if (!node) return;
    const role = String(node.role?.value ?? '');
    const name = String(node.name?.value ?? '')
      .replaceAll(/\s+/g, ' ')
      .trim();
    const isSilent = silent.has(role) || (silentWithoutName.has(role) && name === '');
    const isTold = !node.ignored && !isSilent && !(role === 'StaticText' && (isNamed || name === ''));
    const states = (node.properties ?? [])
      .filter(({ name: state, value }) => told.has(state) && !['false', 'off'].includes(String(value.value)))
      .map(({ name: state, value }) => (value.value === true ? state : `${state}=${value.value}`));
    if (valued.has(role) && node.value?.value) states.push(`value=${node.value.value}`);
    if (isTold) heard.push({ role, name, description: String(node.description?.value ?? ''), states, within });
    const inner = isTold ? [...within, name === '' ? role : `${role} ${name}`] : within;
    for (const child of node.childIds ?? []) visit(child, inner, isNamed || namedByWords.has(role) || valued.has(role));
  };
  const [root] = nodes;
  if (root) visit(root.nodeId, [], false);
  return heard.filter(({ role }, at) => !live.has(role) || heard[at + 1]?.within.at(-1) === role);
}

const controls = new Set(['button', 'link', ...valued, 'radio', 'checkbox', 'DisclosureTriangle']);
const landmarks = ['banner', 'main', 'contentinfo', 'navigation', 'search', 'region', 'complementary', 'form'];

const levelOf = ({ states }: Heard): number =>
  Number(states.find((state) => state.startsWith('level='))?.split('=')[1]);

/** What makes no sense to somebody who hears a page, in words. */
export function nonsenseIn(heard: readonly Heard[]): string[] {
  const found: string[] = [];
  const of = (role: string) => heard.filter((one) => one.role === role);
  for (const role of ['banner', 'main', 'contentinfo']) {
    if (of(role).length > 1) found.push(`${of(role).length} landmarks ${role}`);
  }
  if (of('main').length === 0) found.push('no landmark main');
  for (const role of landmarks) {
    const names = of(role).map(({ name }) => name);
    if (new Set(names).size < names.length) found.push(`landmarks ${role} of the same name: ${names.join(', ')}`);
  }
  const headings = of('heading');
  const first = headings.filter((one) => levelOf(one) === 1);
  if (first.length !== 1) found.push(`${first.length} headings of level 1`);
  for (const [at, one] of headings.entries()) {
    const before = headings[at - 1];
    if (before && levelOf(one) > levelOf(before) + 1) found.push(`“${one.name}” skips a level of headings`);
  }
  const nameless = heard.filter(
    ({ role, name }) => name === '' && (controls.has(role) || role === 'image' || role === 'heading'),
  );
  found.push(...nameless.map(({ role, within }) => `a ${role} without a name in ${within.at(-1)}`));
  const buttons = of('button').map(({ name, within }) => `${name} in ${within.at(-1)}`);
  found.push(...buttons.filter((one, at) => buttons.indexOf(one) < at).map((one) => `two buttons ${one}`));
  const signs = heard.filter(({ role, name }) => role === 'StaticText' && /^[^\p{L}\p{N}]+$/u.test(name));
  found.push(...signs.map(({ name, within }) => `a sign that says nothing, ${name}, in ${within.at(-1)}`));
  return found;
}

/** What is heard of a part of the page, a line each. */
export function linesIn(heard: readonly Heard[], part: string): string[] {
  return heard
    .filter(({ within }) => within.includes(part))
    .map(({ role, name, states, description }) =>
      [
        role === 'StaticText' ? name : `${role} ${name}`.trim(),
        states.length > 0 ? ` [${states.join(', ')}]` : '',
        description === '' ? '' : ` – ${description}`,
      ].join(''),
    );
}
