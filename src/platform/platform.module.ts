import { Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_PIPE } from '@nestjs/core';
import { AccountExports } from './account-export/account-exports.js';
import { ChangeBus } from './changes/change-bus.js';
import { NodeRates } from './concurrency/node-rates.js';
import { Occupancy } from './concurrency/occupancy.js';
import { ErrorFilter } from './http/error.filter.js';
import { Metrics } from './http/metrics.js';
import { ServiceLife } from './http/service-life.js';
import { AccountRemovals, MemberRemovals, OrganizationRemovals } from './removal-steps.js';
import { AddressLimit } from './http/address-limit.js';
import { DatabaseOutage } from './http/database-outage.js';
import { DefaultHeaders } from './http/default-headers.js';
import { JsonBodies } from './http/json-body.js';
import { RequestLog } from './http/request-log.js';
import { RequestPipeline } from './http/request-pipeline.js';
import { ListTotals } from './http/total-count.js';
import { JsonSchemas } from './openapi/json-schemas.js';
import { CacheListener } from './cache/cache-listener.js';
import { PageReads } from './cache/page-reads.js';
import { ResponseCache } from './cache/response-cache.js';
import { DtoValidationPipe } from './validation/dto-validation.pipe.js';

const shared = [
  Metrics,
  ServiceLife,
  ChangeBus,
  NodeRates,
  Occupancy,
  DefaultHeaders,
  AddressLimit,
  JsonBodies,
  RequestLog,
  DatabaseOutage,
  ListTotals,
  CacheListener,
  PageReads,
  AccountRemovals,
  MemberRemovals,
  OrganizationRemovals,
  AccountExports,
  JsonSchemas,
];

/** The parts of every route: the error filter, the validation pipe, metrics, the response cache. */
@Global()
@Module({
  providers: [
    ...shared,
    RequestPipeline,
    ResponseCache,
    ErrorFilter,
    { provide: APP_FILTER, useExisting: ErrorFilter },
    DtoValidationPipe,
    { provide: APP_PIPE, useExisting: DtoValidationPipe },
  ],
  exports: shared,
})
export class PlatformModule {}
