import { type DynamicModule, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { AuthKitModule } from './common/auth/auth-kit.module.js';
import { CommonModule } from './common/common.module.js';
import { takenStrictly } from './common/validation/strict.js';
import { ConfigModule } from './config/config.module.js';
import type { Secrets } from './config/secrets.js';
import type { Settings } from './config/settings.js';
import { DatabaseModule } from './database/database.module.js';
import { DemoModule } from './demo/demo.module.js';
import { AccountsModule } from './store/accounts/accounts.module.js';
import { AdminModule } from './store/admin/admin.module.js';
import { AuthModule } from './store/auth/auth.module.js';
import { CartModule } from './store/cart/cart.module.js';
import { JobsModule } from './jobs/jobs.module.js';
import { AssetsModule } from './scanning/assets/assets.module.js';
import { IntegrationsModule } from './scanning/integrations/integrations.module.js';
import { IssuesModule } from './scanning/issues/issues.module.js';
import { LocationsModule } from './scanning/locations/locations.module.js';
import { OrganizationsModule } from './scanning/organizations/organizations.module.js';
import { ProfilesModule } from './scanning/profiles/profiles.module.js';
import { ReportsModule } from './scanning/reports/reports.module.js';
import { ScanEventsModule } from './scanning/scan-events/scan-events.module.js';
import { ScansModule } from './scanning/scans/scans.module.js';
import { TagsModule } from './scanning/tags/tags.module.js';
import { TriggersModule } from './scanning/triggers/triggers.module.js';
import { WebhookExportModule } from './scanning/webhook-export/webhook-export.module.js';
import { WorkflowsModule } from './scanning/workflows/workflows.module.js';
import { CatalogueModule } from './store/catalogue/catalogue.module.js';
import { CouponsModule } from './store/coupons/coupons.module.js';
import { HealthModule } from './store/health/health.module.js';
import { OrdersModule } from './store/orders/orders.module.js';
import { ReviewsModule } from './store/reviews/reviews.module.js';
import { TestimonialsModule } from './store/testimonials/testimonials.module.js';
import { TotpModule } from './store/totp/totp.module.js';
import { UploadsModule } from './store/uploads/uploads.module.js';
import { UsersModule } from './store/users/users.module.js';

/** The scanning wing's modules in order: `scans/import` before `scans/:id`. They take nothing that they do not know. */
const scanningModules = takenStrictly([
  OrganizationsModule,
  TriggersModule,
  TagsModule,
  ProfilesModule,
  LocationsModule,
  IntegrationsModule,
  AssetsModule,
  ReportsModule,
  ScansModule,
  IssuesModule,
  ScanEventsModule,
  WorkflowsModule,
  WebhookExportModule,
]);

/** The store's modules in order: what stands first is matched first (`orders/coupons` before `orders/:order_id`). */
const storeModules = [
  HealthModule,
  UsersModule,
  TotpModule,
  AuthModule,
  CatalogueModule,
  CartModule,
  CouponsModule,
  OrdersModule,
  TestimonialsModule,
  ReviewsModule,
  UploadsModule,
  AccountsModule,
  AdminModule,
];

@Module({})
export class AppModule {
  static with(settings: Settings, secrets: Secrets, databaseUrl: string): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.with(settings, secrets),
        DatabaseModule.at(databaseUrl),
        DiscoveryModule,
        CommonModule,
        AuthKitModule,
        JobsModule,
        ...storeModules,
        ...scanningModules,
        DemoModule,
      ],
    };
  }
}
