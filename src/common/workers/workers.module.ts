import { type DynamicModule, Global, Module } from '@nestjs/common';
import { LoneProcess, WorkerLink } from './worker-link.js';

/** Provides what this process has to do with others of its node. */
@Global()
@Module({})
export class WorkersModule {
  static with(link: WorkerLink = new LoneProcess()): DynamicModule {
    return {
      module: WorkersModule,
      providers: [{ provide: WorkerLink, useValue: link }],
      exports: [WorkerLink],
    };
  }
}
