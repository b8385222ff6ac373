import { type DynamicModule, Inject, Module, type OnApplicationBootstrap, type Type } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import type { Logger } from 'pino';
import { AuditModule } from './platform/audit/audit.module.js';
import { AuthKitModule } from './platform/auth/auth-kit.module.js';
import { PlatformModule } from './platform/platform.module.js';
import { KeyRotationModule } from './platform/key-rotation/key-rotation.module.js';
import { LogModule } from './platform/http/log.module.js';
import { serviceLogger } from './platform/http/request-log.js';
import { takenStrictly } from './platform/validation/strict.js';
import { ConfigModule } from './config/config.module.js';
import type { Secrets } from './config/secrets.js';
import type { Settings } from './config/settings.js';
import type { DatabaseAddress } from './database/connections/database-address.js';
import { DatabaseAddressModule } from './database/database-address.module.js';
import { DatabaseModule } from './database/database.module.js';
import { QuotasModule } from './platform/quotas/quotas.module.js';
import { DemoModule } from './demo/demo.module.js';
import { AccountExportModule } from './store/account-export/account-export.module.js';
import { AccountLinksModule } from './store/account-links/account-links.module.js';
import { AccountsModule } from './store/accounts/accounts.module.js';
import { AddressesModule } from './store/addresses/addresses.module.js';
import { AdminModule } from './store/admin/admin.module.js';
import { AuthModule } from './store/auth/auth.module.js';
import { BackupsModule } from './store/backups/backups.module.js';
import { CartModule } from './store/cart/cart.module.js';
import { JobRunner } from './platform/jobs/job-runner.js';
import { JobsModule } from './platform/jobs/jobs.module.js';
import { MailModule } from './platform/mail/mail.module.js';
import { AssetsModule } from './scanning/assets/assets.module.js';
import { IdLookupsModule } from './scanning/id-lookups/id-lookups.module.js';
import { IntegrationsModule } from './scanning/integrations/integrations.module.js';
import { IssueExportsModule } from './scanning/issue-exports/issue-exports.module.js';
import { IssuesModule } from './scanning/issues/issues.module.js';
import { LocationsModule } from './scanning/locations/locations.module.js';
import { OrganizationAuditModule } from './scanning/organization-audit/organization-audit.module.js';
import { OrganizationsModule } from './scanning/organizations/organizations.module.js';
import { ProfilesModule } from './scanning/profiles/profiles.module.js';
import { ThreatFeedsModule } from './scanning/threat-feeds/threat-feeds.module.js';
import { ReportsModule } from './scanning/reports/reports.module.js';
import { ScanEventsModule } from './scanning/scan-events/scan-events.module.js';
import { BranchesModule } from './scanning/branches/branches.module.js';
import { ScansModule } from './scanning/scans/scans.module.js';
import { TagsModule } from './scanning/tags/tags.module.js';
import { ViewsModule } from './scanning/views/views.module.js';
import { TriggersModule } from './scanning/triggers/triggers.module.js';
import { WebhookExportModule } from './scanning/webhook-export/webhook-export.module.js';
import { WorkflowsModule } from './scanning/workflows/workflows.module.js';
import { CatalogueModule } from './store/catalogue/catalogue.module.js';
import { CouponsModule } from './store/coupons/coupons.module.js';
import { HealthModule } from './store/health/health.module.js';
import { ShopKeysModule } from './store/keys/shop-keys.module.js';
import { ShopViewsModule } from './store/views/shop-views.module.js';
import { IdempotencyModule } from './store/idempotency/idempotency.module.js';
import { NotedRequestsModule } from './store/noted-requests/noted-requests.module.js';
import { OidcModule } from './store/oidc/oidc.module.js';
import { OperationModule } from './store/operation/operation.module.js';
import { OrdersModule } from './store/orders/orders.module.js';
import { PaymentsModule } from './store/payments/payments.module.js';
import { ReviewsModule } from './store/reviews/reviews.module.js';
import { SessionsModule } from './store/sessions/sessions.module.js';
import { ShopModule } from './store/shop/shop.module.js';
import { StoreEventsModule } from './store/events/store-events.module.js';
import { TestimonialsModule } from './store/testimonials/testimonials.module.js';
import { TotpModule } from './store/totp/totp.module.js';
import { UploadsModule } from './store/uploads/uploads.module.js';
import { WebhooksModule } from './store/webhooks/webhooks.module.js';
import { UsersModule } from './store/users/users.module.js';

/** The parts that a start has read and opened. */
export interface AppParts {
  settings: Settings;
  secrets: Secrets;
  /** Of a migrated database. */
  database: DatabaseAddress;
  logger: Logger;
  /** The module of test mode, where the service runs for tests. */
  testMode?: Type | undefined;
}

/** The scanning wing's modules, in the order of their routes (`scans/import` before `scans/:id`, `issues/export` before `issues/:id`). They are strict. */
const scanningModules = takenStrictly([
  OrganizationsModule,
  IdLookupsModule,
  OrganizationAuditModule,
  TriggersModule,
  TagsModule,
  ViewsModule,
  BranchesModule,
  ProfilesModule,
  LocationsModule,
  IntegrationsModule,
  AssetsModule,
  IssueExportsModule,
  ReportsModule,
  ThreatFeedsModule,
  ScansModule,
  IssuesModule,
  ScanEventsModule,
  WorkflowsModule,
  WebhookExportModule,
]);

/** The store's modules, in the order of their routes (`orders/coupons` before `orders/:order_id`). */
const storeModules = [
  HealthModule,
  BackupsModule,
  NotedRequestsModule,
  OperationModule,
  ShopModule,
  ShopKeysModule,
  ShopViewsModule,
  StoreEventsModule,
  WebhooksModule,
  UsersModule,
  AddressesModule,
  AccountExportModule,
  SessionsModule,
  TotpModule,
  AuthModule,
  OidcModule,
  AccountLinksModule,
  CatalogueModule,
  CartModule,
  CouponsModule,
  IdempotencyModule,
  OrdersModule,
  PaymentsModule,
  TestimonialsModule,
  ReviewsModule,
  UploadsModule,
  AccountsModule,
  AdminModule,
];

/** The parts of the service, on settings, a log and a database that others provide. */
@Module({
  imports: [
    DatabaseModule,
    QuotasModule,
    DiscoveryModule,
    PlatformModule,
    AuthKitModule,
    JobsModule,
    AuditModule,
    MailModule,
    KeyRotationModule,
    ...storeModules,
    ...scanningModules,
    DemoModule,
  ],
})
class ServiceModules {}

@Module({})
class PreparedAppModule {}

/** The whole service: settings from the environment, the database of DATABASE_URL or the embedded server's, migrated. */
@Module({
  imports: [
    ConfigModule.fromEnvironment(),
    LogModule.fromSettings(),
    DatabaseAddressModule.fromSettings(),
    ServiceModules,
  ],
})
export class AppModule implements OnApplicationBootstrap {
  constructor(
    private readonly jobs: JobRunner,
    @Inject(serviceLogger) private readonly logger: Logger,
  ) {}

  /** By the service's own log: that of a testing module leaves out warnings. */
  onApplicationBootstrap(): void {
    if (this.jobs.isStarted) return;
    this.logger.warn(
      'No jobs run in this application yet, so mails, webhooks, imports and cleanup wait. To run them: ' +
        'app.get(JobRunner).start()',
    );
  }

  /** The same on settings and a database that the caller has read and opened, and closes. */
  static with({ settings, secrets, database, logger, testMode }: AppParts): DynamicModule {
    return {
      module: PreparedAppModule,
      imports: [
        ConfigModule.with(settings, secrets),
        LogModule.with(logger),
        DatabaseAddressModule.at(database),
        ServiceModules,
        ...(testMode ? [testMode] : []),
      ],
    };
  }
}
