import { Injectable } from '@nestjs/common';
import { type AuditedFields, changesOf } from '../../platform/audit/audit-changes.js';
import { AuditLog } from '../../platform/audit/audit-log.js';
import { ChangeBus } from '../../platform/changes/change-bus.js';
import { TaggedCache } from '../../platform/changes/tagged-cache.js';
import { Invalid } from '../../platform/errors/invalid.js';
import { assertUnchanged } from '../../platform/http/entity-tag.js';
import type { MailShop } from '../../platform/mail/mail.js';
import { Settings } from '../../config/settings.js';
import { canonicalLocale, isCurrency } from '../../config/shop-settings.js';
import { Changes } from '../../database/changes.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { shopItself } from './shop-cache-tags.js';
import { toShop, toShopColumns, toShopSettings } from './shop.mapper.js';
import { ShopRepository } from './shop.repository.js';
import type { ShippingMethod, Shop, ShopSettings, ShopUpdate } from './shop.dto.js';

const longestLocale = 35;

const audited = {
  shown: [
    'name',
    'currency',
    'locale',
    'contact_email',
    'address',
    'logo_url',
    'payment_instructions',
    'shipping_methods',
  ],
} satisfies AuditedFields<ShopSettings>;

/** What the shop says about itself, and how its admins change it. */
@Injectable()
export class ShopService implements MailShop {
  private readonly known: TaggedCache<Shop>;

  constructor(
    private readonly repository: ShopRepository,
    private readonly settings: Settings,
    private readonly unitOfWork: UnitOfWork,
    private readonly changes: Changes,
    private readonly audit: AuditLog,
    bus: ChangeBus,
  ) {
    this.known = new TaggedCache(bus, 1);
  }

  /** The shop as everybody sees it: its name, currency, locale, how it ships and how it is paid. */
  async get(): Promise<Shop> {
    return toShop(await this.repository.read(), this.settings);
  }

  /** The same, without a statement where it was read a moment ago. */
  current(): Promise<Shop> {
    return this.known.get('shop', [shopItself], () => this.get());
  }

  /** The shop as its admins set it. */
  async getSettings(): Promise<ShopSettings> {
    return toShopSettings(await this.repository.read(), this.settings);
  }

  /**
   * Changes what is given of the shop. `Invalid` for a currency or locale that there is not, and for a code of two
   * shipping methods; `ChangedMeanwhile` where the shop is not `ifMatch`.
   */
  async update(given: ShopUpdate, ifMatch: string | null): Promise<ShopSettings> {
    const { currency, locale, shipping_methods: methods } = given;
    if (currency) assertCurrency(currency);
    const columns = toShopColumns(given);
    if (locale) columns.locale = canonical(locale);
    if (methods) assertEachCodeOnce(methods);
    return this.unitOfWork.run(async () => {
      await this.repository.lock();
      const before = await this.getSettings();
      assertUnchanged(ifMatch, before);
      if (Object.keys(columns).length > 0) await this.repository.update(columns);
      if (methods) await this.repository.setMethods(methods);
      const after = await this.getSettings();
      const changes = changesOf(before, after, audited);
      await this.audit.record({ action: 'shop.updated', subject: { id: 'shop' }, changes });
      this.changes.invalidate([shopItself]);
      return after;
    });
  }
}

function assertCurrency(currency: string): void {
  if (isCurrency(currency)) return;
  const msg = 'Input should be a currency of ISO 4217, such as EUR';
  throw Invalid.at(['body', 'currency'], 'value_error', msg, currency);
}

/** The canonical form of a language tag; throws `Invalid` for a text that is none. */
function canonical(locale: string): string {
  const tag = canonicalLocale(locale);
  if (tag !== undefined && tag.length <= longestLocale) return tag;
  const msg = 'Input should be a language tag (BCP 47), such as de-AT';
  throw Invalid.at(['body', 'locale'], 'value_error', msg, locale);
}

function assertEachCodeOnce(methods: readonly ShippingMethod[]): void {
  const seen = new Set<string>();
  for (const [index, { code }] of methods.entries()) {
    if (seen.has(code)) {
      const msg = `Input should be a code that no other shipping method has: ${code} stands twice`;
      throw Invalid.at(['body', 'shipping_methods', index, 'code'], 'value_error', msg, code);
    }
    seen.add(code);
  }
}
