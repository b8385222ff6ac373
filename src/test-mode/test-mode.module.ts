import { Global, type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import { CryptoModule } from '../platform/crypto/crypto.module.js';
import { DemoModule } from '../demo/demo.module.js';
import { OutsideCalls } from '../platform/net/outside-calls.js';
import { CatalogueModule } from '../store/catalogue/catalogue.module.js';
import { CouponsModule } from '../store/coupons/coupons.module.js';
import { UsersModule } from '../store/users/users.module.js';
import { ClockService } from './clock.service.js';
import { Faults } from './faults.js';
import { FixturesService } from './fixtures.service.js';
import { HeldRequests } from './held-requests.js';
import { KeptFiles } from './kept-files.js';
import { ProcessMemory } from './process-memory.js';
import { ReceivedWebhooks } from './received-webhooks.js';
import { TestAccountsService } from './test-accounts.service.js';
import { TestDataRepository } from './test-data.repository.js';
import { TestDataService } from './test-data.service.js';
import { TestModeController } from './test-mode.controller.js';
import { TestModeService } from './test-mode.service.js';
import { TestRowsRepository } from './test-rows.repository.js';
import { TestRowsService } from './test-rows.service.js';
import { TestTotpRepository } from './test-totp.repository.js';

/** What an ephemeral service has for suites, under `/test`. Only `src/cli/ephemeral.ts` loads it. */
@Global()
@Module({
  imports: [CryptoModule, DemoModule, UsersModule, CatalogueModule, CouponsModule],
  controllers: [TestModeController],
  providers: [
    FixturesService,
    TestDataService,
    TestDataRepository,
    KeptFiles,
    ProcessMemory,
    HeldRequests,
    ClockService,
    TestModeService,
    TestTotpRepository,
    TestRowsService,
    TestAccountsService,
    TestRowsRepository,
    ReceivedWebhooks,
    Faults,
    { provide: OutsideCalls, useExisting: Faults },
  ],
  exports: [OutsideCalls],
})
export class TestModeModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(HeldRequests).exclude('test/{*rest}').forRoutes('{*rest}');
  }
}
