import { Module } from '@nestjs/common';
import { CryptoModule } from '../../platform/crypto/crypto.module.js';
import { DeliveryModule } from '../../platform/delivery/delivery.module.js';
import { IntegrationsModule } from '../integrations/integrations.module.js';
import { NotificationsModule } from '../notifications/notifications.module.js';
import { ViewsModule } from '../views/views.module.js';
import { WorkflowsModule } from '../workflows/workflows.module.js';
import { repositoriesOf } from '../../database/repositories.js';
import { WorkflowRunEntity } from '../workflows/workflow-run.entity.js';
import { ActionDeliveries } from './action-deliveries.js';
import { ActionDeliveriesRepository } from './action-deliveries.repository.js';
import { DeliveryBodies } from './delivery-bodies.js';
import { DeliveriesController } from './deliveries.controller.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { DeliveriesService } from './deliveries.service.js';
import { ExporterService } from './exporter.service.js';
import { ExportsRepository } from './exports.repository.js';
import { FrozenPayloads } from './frozen-payloads.js';
import { Housekeeping } from './housekeeping.js';
import { HousekeepingRepository } from './housekeeping.repository.js';
import { MatchingRepository } from './matching.repository.js';
import { PastExportsService } from './past-exports.service.js';
import { PayloadGatherer } from './payload-gatherer.js';
import { PayloadRows } from './payload-rows.js';
import { PayloadRowsRepository } from './payload-rows.repository.js';
import { PayloadStore } from './payload-store.js';
import { PayloadStoreRepository } from './payload-store.repository.js';
import { NoticePreviews } from './notice-previews.js';
import { PreviewController } from './preview.controller.js';
import { PreviewService } from './preview.service.js';
import { ReplaysRepository } from './replays.repository.js';
import { ReplaysService } from './replays.service.js';
import { RunNotices } from './run-notices.js';
import { SchemasController } from './schemas.controller.js';
import { TestSendsController } from './test-sends.controller.js';
import { TestSendsService } from './test-sends.service.js';
import { WorkflowRunPayloadEntity } from './workflow-run-payload.entity.js';

@Module({
  imports: [
    CryptoModule,
    DeliveryModule,
    IntegrationsModule,
    NotificationsModule,
    ViewsModule,
    WorkflowsModule,
    repositoriesOf([WorkflowRunPayloadEntity, WorkflowRunEntity]),
  ],
  controllers: [DeliveriesController, PreviewController, SchemasController, TestSendsController],
  providers: [
    DeliveriesService,
    DeliveriesRepository,
    DeliveryBodies,
    RunNotices,
    ReplaysService,
    ReplaysRepository,
    ExporterService,
    ExportsRepository,
    PastExportsService,
    FrozenPayloads,
    PayloadGatherer,
    MatchingRepository,
    PayloadRows,
    PayloadRowsRepository,
    PayloadStore,
    PayloadStoreRepository,
    PreviewService,
    NoticePreviews,
    TestSendsService,
    ActionDeliveries,
    ActionDeliveriesRepository,
    Housekeeping,
    HousekeepingRepository,
  ],
  exports: [PastExportsService],
})
export class WebhookExportModule {}
