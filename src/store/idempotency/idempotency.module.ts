import { Module } from '@nestjs/common';
import { repositoriesOf } from '../../database/repositories.js';
import { IdempotencyKeyEntity } from './idempotency-key.entity.js';
import { IdempotencyKeySweep } from './idempotency-key-sweep.js';
import { IdempotencyKeysRepository } from './idempotency-keys.repository.js';
import { IdempotentRequestsService } from './idempotent-requests.service.js';

/** Requests that are done once, however often they come. */
@Module({
  imports: [repositoriesOf([IdempotencyKeyEntity])],
  providers: [IdempotentRequestsService, IdempotencyKeysRepository, IdempotencyKeySweep],
  exports: [IdempotentRequestsService],
})
export class IdempotencyModule {}
