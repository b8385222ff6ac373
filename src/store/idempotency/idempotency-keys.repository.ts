import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Database } from '../../database/database.js';
import { IdempotencyKeyEntity } from './idempotency-key.entity.js';
import { removeExpiredKey, sweepKeys, takeSlot } from './idempotency-keys.statements.js';

@Injectable()
export class IdempotencyKeysRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(IdempotencyKeyEntity) private readonly keys: Repository<IdempotencyKeyEntity>,
  ) {}

  /** Takes the slot of a user's key until the unit of work ends; false if another request has it. */
  async takeSlot(userId: string, key: string): Promise<boolean> {
    return (await this.database.one<{ free: boolean }>(takeSlot, [userId, key])).free;
  }

  find(userId: string, key: string): Promise<IdempotencyKeyEntity | null> {
    return this.keys.findOneBy({ userId, key });
  }

  async insert(key: Omit<IdempotencyKeyEntity, 'createdAt'>): Promise<void> {
    await this.keys.insert(key);
  }

  async remove(userId: string, key: string): Promise<void> {
    await this.keys.delete({ userId, key });
  }

  /** Deletes a key of a user if it has expired. */
  async removeExpired(userId: string, key: string): Promise<void> {
    await this.database.execute(removeExpiredKey, [userId, key]);
  }

  /** Deletes some expired keys; returns how many. */
  sweep(): Promise<number> {
    return this.database.execute(sweepKeys);
  }
}
