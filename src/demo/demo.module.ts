import { Module } from '@nestjs/common';
import { CryptoModule } from '../platform/crypto/crypto.module.js';
import { repositoriesOf } from '../database/repositories.js';
import { IntegrationsModule } from '../scanning/integrations/integrations.module.js';
import { ScanEventsModule } from '../scanning/scan-events/scan-events.module.js';
import { WebhookExportModule } from '../scanning/webhook-export/webhook-export.module.js';
import { WorkflowsModule } from '../scanning/workflows/workflows.module.js';
import { StoreEventsModule } from '../store/events/store-events.module.js';
import { UploadsModule } from '../store/uploads/uploads.module.js';
import { WebhooksModule } from '../store/webhooks/webhooks.module.js';
import { DemoDataRepository } from './demo-data.repository.js';
import { DemoDataService } from './demo-data.service.js';
import { DemoDirectoryRepository } from './demo-directory.repository.js';
import { DemoDirectoryService } from './demo-directory.service.js';
import { DemoRowsRepository } from './demo-rows.repository.js';
import { DemoUpkeepService } from './demo-upkeep.service.js';
import { DemoExportsService } from './scanning/demo-exports.service.js';
import { ScanningDemoService } from './scanning/scanning-demo.service.js';
import { DemoOrdersService } from './shop/demo-orders.service.js';
import { DemoWebhookService } from './shop/demo-webhook.service.js';
import { ServiceStateEntity } from './service-state.entity.js';
import { ShopDemoService } from './shop/shop-demo.service.js';

/** The demo shop and the scans of its makers. It stands above the modules whose tables it fills. */
@Module({
  imports: [
    repositoriesOf([ServiceStateEntity]),
    CryptoModule,
    UploadsModule,
    StoreEventsModule,
    WebhooksModule,
    IntegrationsModule,
    ScanEventsModule,
    WorkflowsModule,
    WebhookExportModule,
  ],
  providers: [
    DemoDataService,
    DemoUpkeepService,
    DemoDataRepository,
    DemoDirectoryRepository,
    DemoDirectoryService,
    DemoRowsRepository,
    ShopDemoService,
    DemoOrdersService,
    DemoWebhookService,
    ScanningDemoService,
    DemoExportsService,
  ],
  exports: [DemoOrdersService],
})
export class DemoModule {}
