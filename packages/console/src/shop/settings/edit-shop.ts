import type { ShippingMethod, ShopSettings } from '@store-service/sdk';
import { changed } from '../../api/changed.js';
import { queries } from '../../api/queries.js';
import { api } from '../../api/service.js';
import { asMoney } from '../../parts/format.js';
import { askVersion, type EditedField, saveEdit, type Version } from '../../parts/versions.svelte.js';
import { texts } from '../../texts/texts.js';

const fields: readonly EditedField<ShopSettings>[] = [
  { key: 'name', label: texts.common.name },
  { key: 'contact_email', label: texts.settings.contactEMail },
  { key: 'address', label: texts.settings.address },
  { key: 'logo_url', label: texts.settings.logo },
  { key: 'currency', label: texts.settings.currency },
  { key: 'locale', label: texts.settings.language },
  { key: 'payment_instructions', label: texts.settings.howToPay },
];

const key = ['shop-settings'];
export const shopQuery = { queryKey: key, queryFn: () => readShop() };

const readShop = (): Promise<Version<ShopSettings>> => askVersion(api.adminShop.get());

/** Writes over a version, and shows what is written wherever the console shows the shop. */
async function write(body: Partial<ShopSettings>, etag: string): Promise<Version<ShopSettings>> {
  const { defaults: _defaults, ...changes } = body;
  const version = await askVersion(api.adminShop.update({ body: changes, headers: { 'If-Match': etag } }));
  queries.setQueryData(key, version);
  await changed('shop');
  return version;
}

/** Saves changes to the shop over the version that was read. */
export async function saveShop(before: Version<ShopSettings>, changes: Partial<ShopSettings>) {
  const result = await saveEdit({
    name: texts.settings.theShop,
    fields,
    before,
    changes,
    read: readShop,
    write: (etag) => write(changes, etag),
  });
  if (result) queries.setQueryData(key, result.version);
  return result;
}

/** The shipping methods as one value, so that two versions can be compared. */
interface Methods {
  methods: string;
}
const methodsOf = ({ value, etag }: Version<ShopSettings>): Version<Methods> => ({
  value: { methods: JSON.stringify(value.shipping_methods) },
  etag,
});
const asLines = (text: unknown) =>
  (JSON.parse(String(text)) as ShippingMethod[])
    .map(({ name, cost, days }) => `${name}: ${asMoney(cost)}, ${texts.settings.dayCount(days)}`)
    .join('; ');

/** Saves the whole list of shipping methods. Returns the version that stands then; nothing if the user goes on editing. */
export async function saveMethods(before: Version<ShopSettings>, methods: ShippingMethod[]) {
  let latest = before;
  const result = await saveEdit<Methods>({
    name: texts.settings.theShippingMethods,
    fields: [{ key: 'methods', label: texts.settings.shippingMethods, text: asLines }],
    before: methodsOf(before),
    changes: { methods: JSON.stringify(methods) },
    read: async () => methodsOf((latest = await readShop())),
    write: async (etag) => methodsOf((latest = await write({ shipping_methods: methods }, etag))),
  });
  if (result) queries.setQueryData(key, latest);
  return result && { kept: result.kept, version: latest };
}
