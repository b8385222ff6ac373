import { type DynamicModule, Global, Module } from '@nestjs/common';
import type { Logger } from 'pino';
import { Settings } from '../../config/settings.js';
import { makeLogger, serviceLogger } from './request-log.js';

/** Provides the service's logger under `serviceLogger`. */
@Global()
@Module({})
export class LogModule {
  static with(logger: Logger): DynamicModule {
    return {
      module: LogModule,
      providers: [{ provide: serviceLogger, useValue: logger }],
      exports: [serviceLogger],
    };
  }

  /** A logger of the level and format that the settings name. */
  static fromSettings(): DynamicModule {
    const useFactory = (settings: Settings): Logger => makeLogger(settings);
    return {
      module: LogModule,
      providers: [{ provide: serviceLogger, inject: [Settings], useFactory }],
      exports: [serviceLogger],
    };
  }
}
