import { can, type Need, signOut } from '../api/session.svelte.js';
import { chooseTheme, type Theme, theme } from '../parts/theme.svelte.js';
import { hrefOf } from '../router.svelte.js';
import { texts } from '../texts/texts.js';
import type { Find } from './finds.js';

interface Act {
  title: string;
  needs: Need;
  href: () => string;
}

/** What the screens make, each by the address that opens its form. */
const made: readonly Act[] = [
  { title: texts.common.newProduct, needs: 'shop-admin', href: () => hrefOf('shop/products', { new: true }) },
  { title: texts.common.importCsv, needs: 'shop-admin', href: () => hrefOf('shop/products', { import: true }) },
  { title: texts.common.newCoupon, needs: 'shop-admin', href: () => hrefOf('shop/coupons', { new: true }) },
  {
    title: texts.common.newWebhook,
    needs: 'shop-admin',
    href: () => hrefOf('shop/settings/webhooks', { new: true }),
  },
  { title: texts.palette.newShopKey, needs: 'shop-admin', href: () => hrefOf('shop/settings/keys', { new: true }) },
  { title: texts.palette.addAColleague, needs: 'shop-admin', href: () => hrefOf('shop/customers', { new: true }) },
  { title: texts.common.importReport, needs: 'member', href: () => hrefOf('scanning/scans', { import: true }) },
  { title: texts.palette.newWorkflow, needs: 'organization-admin', href: () => hrefOf('scanning/workflows/create') },
  {
    title: texts.common.newIntegration,
    needs: 'organization-admin',
    href: () => hrefOf('scanning/integrations', { new: true }),
  },
  {
    title: texts.palette.invite,
    needs: 'organization-admin',
    href: () => hrefOf('scanning/organization/members', { invite: true }),
  },
  {
    title: texts.palette.newApiKey,
    needs: 'organization-admin',
    href: () => hrefOf('scanning/organization/api-keys', { new: true }),
  },
];

const themes: readonly [Theme, string][] = [
  ['light', texts.frame.light],
  ['dark', texts.frame.dark],
  ['system', texts.frame.system],
];

/** What can be done at once, by words in its name. Without a text, nothing: there is more than fits. */
export function actsFor(text: string): Find[] {
  if (text === '') return [];
  const words = text.toLowerCase().split(/\s+/);
  const group = texts.palette.actions;
  const acts: Find[] = [
    ...made.filter(({ needs }) => can(needs)).map(({ title, href }) => ({ group, title, hint: '', href: href() })),
    ...themes
      .filter(([value]) => value !== theme.chosen)
      .map(([value, title]) => ({ group, title, hint: texts.frame.theme, act: () => chooseTheme(value) })),
    { group, title: texts.common.signOut, hint: '', act: () => void signOut() },
  ];
  return acts.filter(({ title, hint }) => words.every((word) => `${title} ${hint}`.toLowerCase().includes(word)));
}

/** The number of the order that a text wants to ship, such as `Ship order 240` or `240 versenden`. */
export function orderToShip(text: string): number | null {
  const words = text.toLowerCase().split(/\s+/);
  const numbers = words.flatMap((word) => /^#?(\d{1,9})$/.exec(word)?.[1] ?? []);
  const wants = words.some((word) => /^(ship|versend(e|en)?|verschick(e|en)?)$/.test(word));
  const [number] = numbers;
  return wants && numbers.length === 1 ? Number(number) : null;
}

/** The finds with those named exactly so before the others, and their groups before other groups. */
export function exactFirst(finds: readonly Find[], text: string): Find[] {
  const wanted = text.toLowerCase().replace(/^#/, '');
  const isExact = ({ title, names = [] }: Find) => [title, ...names].some((name) => name.toLowerCase() === wanted);
  const exact = finds.filter(isExact);
  const groups = new Set(exact.map(({ group }) => group));
  const inGroups = [...groups].flatMap((group) => [
    ...exact.filter((find) => find.group === group),
    ...finds.filter((find) => find.group === group && !isExact(find)),
  ]);
  return [...inGroups, ...finds.filter(({ group }) => !groups.has(group))];
}
