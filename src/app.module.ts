import { type DynamicModule, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { AuthKitModule } from './common/auth/auth-kit.module.js';
import { CommonModule } from './common/common.module.js';
import { ConfigModule } from './config/config.module.js';
import type { Secrets } from './config/secrets.js';
import type { Settings } from './config/settings.js';
import { DatabaseModule } from './database/database.module.js';
import { CatalogueModule } from './store/catalogue/catalogue.module.js';
import { HealthModule } from './store/health/health.module.js';
import { UsersModule } from './store/users/users.module.js';

/** The rooms in order: what stands first is matched first (`orders/coupons` before `orders/:order_id`). */
const rooms = [HealthModule, UsersModule, CatalogueModule];

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
        ...rooms,
      ],
    };
  }
}
