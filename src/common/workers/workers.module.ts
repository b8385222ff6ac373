import { type DynamicModule, Global, Module } from '@nestjs/common';
import { LoneProcess, WorkerLink } from './worker-link.js';

/** Connects this process to the others of its node. */
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
