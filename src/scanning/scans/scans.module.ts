import { Module } from '@nestjs/common';
import { TriggersModule } from '../triggers/triggers.module.js';
import { ScansController } from './scans.controller.js';
import { ScansRepository } from './scans.repository.js';
import { ScansService } from './scans.service.js';

@Module({
  imports: [TriggersModule],
  controllers: [ScansController],
  providers: [ScansService, ScansRepository],
  exports: [ScansService],
})
export class ScansModule {}
