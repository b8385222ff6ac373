import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import type { PayloadRoot } from '../workflows/payload-roots.js';
import { WorkflowRunPayloadEntity } from './workflow-run-payload.entity.js';

/** A run, with the organization that leads to its chunks where these are spread over servers. */
export interface RunKey {
  organizationId: string;
  runId: string;
}

/** The chunks of frozen payloads. */
@Injectable()
export class PayloadStoreRepository {
  constructor(
    @InjectRepository(WorkflowRunPayloadEntity) private readonly chunks: Repository<WorkflowRunPayloadEntity>,
  ) {}

  async insert(chunk: WorkflowRunPayloadEntity): Promise<void> {
    await this.chunks.insert(chunk);
  }

  async chunk({ organizationId, runId }: RunKey, root: PayloadRoot, number: number): Promise<Buffer | null> {
    return (await this.chunks.findOneBy({ organizationId, runId, root, number }))?.sealed ?? null;
  }

  /** Removes the chunks of a root, or of all of them. */
  async remove({ organizationId, runId }: RunKey, root?: PayloadRoot): Promise<void> {
    await this.chunks.delete({ organizationId, runId, ...(root !== undefined && { root }) });
  }

  /** Removes those of runs. */
  async removeAll(organizationId: string, runIds: string[]): Promise<void> {
    await this.chunks.delete({ organizationId, runId: In(runIds) });
  }

  /** Removes those of organizations that are about to be deleted. */
  async removeOf(organizationIds: string[]): Promise<void> {
    await this.chunks.delete({ organizationId: In(organizationIds) });
  }
}
