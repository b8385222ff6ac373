import { Injectable } from '@nestjs/common';
import { type AuditedFields, changesOf } from '../../platform/audit/audit-changes.js';
import type { AuditAction } from '../../platform/audit/audit-actions.js';
import { AuditLog } from '../../platform/audit/audit-log.js';
import { Conflict, found } from '../../platform/errors/errors.js';
import { assertUnchanged } from '../../platform/http/entity-tag.js';
import { ListTotals, wholeList } from '../../platform/http/total-count.js';
import { refuseViolations } from '../../database/refuse-violations.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { CouponAttempts } from './coupon-attempts.js';
import { couponResponse } from './coupon-state.js';
import { toCouponColumns, toCouponInfo } from './coupons.mapper.js';
import { CouponsRepository } from './coupons.repository.js';
import type {
  CouponCreate,
  CouponFilter,
  CouponInfo,
  CouponQuery,
  CouponResponse,
  CouponUpdate,
} from './coupons.dto.js';

const codeTaken = {
  coupons_code_key: () =>
    new Conflict('There is already a coupon with this code: choose another one', 'coupon_code_taken'),
};

const audited = {
  shown: ['code', 'discount_percent', 'max_uses', 'expires_at', 'is_active', 'is_public'],
} satisfies AuditedFields<CouponInfo>;

/** Percentage coupons: shows them to the public, and lets admins manage them. */
@Injectable()
export class CouponsService {
  constructor(
    private readonly repository: CouponsRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly attempts: CouponAttempts,
    private readonly totals: ListTotals,
    private readonly audit: AuditLog,
  ) {}

  /** The coupons that everybody can use now: active, public, neither expired nor used up; newest first. */
  // Unspecified: paging of this list; it returns the newest thousand, since a shop advertises few coupons at a time.
  async available(): Promise<CouponInfo[]> {
    return wholeList(await this.repository.available());
  }

  /**
   * Says whether a code is usable now, with its discount or the reason, for unknown codes too. `RateExceeded` after too
   * many unknown ones from one address.
   */
  async validate({ code }: CouponQuery, address: string | undefined): Promise<CouponResponse> {
    const look = () => this.repository.stateByCode(code);
    return couponResponse(code, await this.attempts.look(address, look, (coupon) => coupon !== null));
  }

  /** A page of all coupons, or of those with a text in their code, newest first. */
  async list(filter: CouponFilter): Promise<CouponInfo[]> {
    const page = await this.repository.page(filter);
    const count = () => this.repository.count(filter.search);
    return this.totals.page(page, filter, { key: `coupons ${filter.search ?? ''}`, count });
  }

  /** Makes a coupon. `Conflict` where its code is taken. */
  async create(coupon: CouponCreate): Promise<CouponInfo> {
    return this.unitOfWork.run(async () => {
      const write = this.repository.insert({ expiresAt: null, ...toCouponColumns(coupon), currentUses: 0 });
      const made = toCouponInfo(await refuseViolations(write, codeTaken));
      await this.record('coupon.created', null, made);
      return made;
    });
  }

  /** One coupon; `NotFound` if there is none. */
  async get(id: number): Promise<CouponInfo> {
    return toCouponInfo(found(await this.repository.byId(id), 'Coupon'));
  }

  /**
   * Changes what is given of a coupon. `NotFound` if there is none, `Conflict` where the new code is taken,
   * `ChangedMeanwhile` where it is not `ifMatch`.
   */
  async update(id: number, changes: CouponUpdate, ifMatch: string | null): Promise<CouponInfo> {
    const columns = toCouponColumns(changes);
    return this.unitOfWork.run(async () => {
      const before = toCouponInfo(found(await this.repository.lock(id), 'Coupon'));
      assertUnchanged(ifMatch, before);
      if (Object.keys(columns).length === 0) return before;
      const write = this.repository.update(id, columns);
      const after = toCouponInfo(found(await refuseViolations(write, codeTaken), 'Coupon'));
      await this.record('coupon.updated', before, after);
      return after;
    });
  }

  /** Deletes a coupon; orders that used it keep their discount. `NotFound` if there is none. */
  async remove(id: number): Promise<void> {
    await this.unitOfWork.run(async () => {
      const before = toCouponInfo(found(await this.repository.lock(id), 'Coupon'));
      await this.repository.remove(id);
      await this.record('coupon.deleted', before, null);
    });
  }

  private async record(action: AuditAction, before: CouponInfo | null, after: CouponInfo | null): Promise<void> {
    const { id, code: name } = (after ?? before) as CouponInfo;
    await this.audit.record({ action, subject: { id, name }, changes: changesOf(before, after, audited) });
  }
}
