import { Module } from '@nestjs/common';
import { CryptoModule } from '../../platform/crypto/crypto.module.js';
import { repositoriesOf } from '../../database/repositories.js';
import { TriggersModule } from '../triggers/triggers.module.js';
import { IntegrationSecrets } from './integration-secrets.js';
import { IntegrationEntity } from './integration.entity.js';
import { IntegrationsController } from './integrations.controller.js';
import { IntegrationsRepository } from './integrations.repository.js';
import { IntegrationsService } from './integrations.service.js';

@Module({
  imports: [repositoriesOf([IntegrationEntity]), CryptoModule, TriggersModule],
  controllers: [IntegrationsController],
  providers: [IntegrationsService, IntegrationsRepository, IntegrationSecrets],
  exports: [IntegrationsService, IntegrationSecrets],
})
export class IntegrationsModule {}
