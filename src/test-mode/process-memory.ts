import { Injectable, type Type } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { everything } from '../platform/changes/change-bus.js';
import { NodeRates } from '../platform/concurrency/node-rates.js';
import { Receivers } from '../platform/delivery/receivers.js';
import { RateLeases } from '../platform/quotas/rate-leases.js';
import { Changes } from '../database/changes.js';
import { CatalogueService } from '../store/catalogue/catalogue.service.js';
import { CouponAttempts } from '../store/coupons/coupon-attempts.js';

/** What keeps limits or guesses in memory, beside the caches that every change tells. */
const keepers: readonly Type<{ forget(): void }>[] = [
  NodeRates,
  RateLeases,
  Receivers,
  CouponAttempts,
  CatalogueService,
];

/** What this process remembers of the data and the time. */
@Injectable()
export class ProcessMemory {
  constructor(
    private readonly modules: ModuleRef,
    private readonly changes: Changes,
  ) {}

  /** Forgets all of it. */
  forget(): void {
    for (const keeper of keepers) this.modules.get(keeper, { strict: false }).forget();
    this.changes.invalidate([everything]);
  }
}
