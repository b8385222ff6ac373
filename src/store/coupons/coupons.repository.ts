import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Database } from '../../database/database.js';
import { CouponEntity } from './coupon.entity.js';
import type { CouponState } from './coupon-state.js';
import { available, count, page, stateByCode } from './coupons.statements.js';
import { containing } from '../../database/like-pattern.js';
import type { CouponFilter, CouponInfo } from './coupons.dto.js';

const patternOf = (search: string | undefined) => (search ? containing(search) : null);

@Injectable()
export class CouponsRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(CouponEntity) private readonly coupons: Repository<CouponEntity>,
  ) {}

  available(): Promise<CouponInfo[]> {
    return this.database.rows<CouponInfo>(available);
  }

  stateByCode(code: string): Promise<CouponState | null> {
    return this.database.row<CouponState>(stateByCode, [code]);
  }

  async count(search: string | undefined): Promise<number> {
    const row = await this.database.row<{ count: number }>(count, [patternOf(search)]);
    return row?.count ?? 0;
  }

  page({ search, skip, limit }: CouponFilter): Promise<CouponInfo[]> {
    return this.database.rows<CouponInfo>(page, [patternOf(search), skip, limit]);
  }

  byId(id: number): Promise<CouponEntity | null> {
    return this.coupons.findOneBy({ id });
  }

  /** A coupon, or null; locks it until the unit of work ends. */
  lock(id: number): Promise<CouponEntity | null> {
    return this.coupons.findOne({ where: { id }, lock: { mode: 'for_no_key_update' } });
  }

  insert(coupon: Partial<CouponEntity>): Promise<CouponEntity> {
    return this.coupons.save(this.coupons.create(coupon), { transaction: false });
  }

  /** Changes a coupon and returns it, or null if there is none. */
  async update(id: number, changes: Partial<CouponEntity>): Promise<CouponEntity | null> {
    await this.coupons.update({ id }, changes);
    return this.coupons.findOneBy({ id });
  }

  /** Deletes a coupon; orders keep their discount. */
  async remove(id: number): Promise<void> {
    await this.coupons.delete({ id });
  }
}
