import { type DynamicModule, Global, Module } from '@nestjs/common';
import { Secrets } from './secrets.js';
import { Settings } from './settings.js';

/** Hands the settings and secrets, read once at start, to every room. */
@Global()
@Module({})
export class ConfigModule {
  static with(settings: Settings, secrets: Secrets): DynamicModule {
    const providers = [
      { provide: Settings, useValue: settings },
      { provide: Secrets, useValue: secrets },
    ];
    return { module: ConfigModule, providers, exports: [Settings, Secrets] };
  }
}
