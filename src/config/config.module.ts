import { type DynamicModule, Global, Module } from '@nestjs/common';
import { prepareDataFolder } from './data-folder.js';
import { loadSecrets, Secrets } from './secrets.js';
import { loadSettings, Settings } from './settings.js';

function settingsFromEnvironment(): Settings {
  const settings = loadSettings(process.env);
  prepareDataFolder(settings.dataDir);
  return settings;
}

/** Provides the settings and secrets, read once at start, to every module. */
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

  /** The settings of the environment at the time the application is made. */
  static fromEnvironment(): DynamicModule {
    const providers = [
      { provide: Settings, useFactory: settingsFromEnvironment },
      { provide: Secrets, inject: [Settings], useFactory: loadSecrets },
    ];
    return { module: ConfigModule, providers, exports: [Settings, Secrets] };
  }
}
