import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { PayloadRoot } from '../workflows/payload-roots.js';
import { WorkflowRunPayloadEntity } from './workflow-run-payload.entity.js';

/** The chunks of frozen payloads. */
@Injectable()
export class PayloadStoreRepository {
  constructor(
    @InjectRepository(WorkflowRunPayloadEntity) private readonly chunks: Repository<WorkflowRunPayloadEntity>,
  ) {}

  async insert(chunk: WorkflowRunPayloadEntity): Promise<void> {
    await this.chunks.insert(chunk);
  }

  async chunk(runId: string, root: PayloadRoot, number: number): Promise<Buffer | null> {
    return (await this.chunks.findOneBy({ runId, root, number }))?.sealed ?? null;
  }

  async remove(runId: string, root?: PayloadRoot): Promise<void> {
    await this.chunks.delete(root === undefined ? { runId } : { runId, root });
  }
}
