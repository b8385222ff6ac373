import { Module } from '@nestjs/common';
import { TriggersRepository } from './triggers.repository.js';
import { Triggers } from './triggers.service.js';

@Module({ providers: [Triggers, TriggersRepository], exports: [Triggers] })
export class TriggersModule {}
