import { Injectable, type OnModuleInit } from '@nestjs/common';
import { SecretBox } from '../../platform/crypto/secret-box.js';
import { uuidV7 } from '../../platform/crypto/uuid-v7.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { JobRunner } from '../../platform/jobs/job-runner.js';
import { sealedUrlPlace } from '../../platform/delivery/delivery-statuses.js';
import { receiverFlags } from '../../platform/delivery/receivers.js';
import type { JobContext, TaskHandler } from '../../platform/jobs/task.js';
import { ActionSecrets } from '../workflows/action-secrets.js';
import type { RootBytes } from '../workflows/workflow-run.entity.js';
import { runTask } from '../workflows/workflow-tasks.js';
import { workflowDeleted, workflowDisabled } from '../workflows/workflows.service.js';
import { planOfRun } from './export-plan.js';
import { ExportsRepository, type NewDelivery, type PendingRun, type RunAction } from './exports.repository.js';
import { FrozenPayloads } from './frozen-payloads.js';
import { PayloadOverflow } from './payload-rows.js';
import { bodyBytes } from './payload-store.js';

const reasons = {
  disabled: 'All actions of the workflow are disabled: enable at least one',
  unmatched: 'Nothing matches the conditions any more',
  narrow: 'narrow the conditions or the resources',
  broken: 'The payload could not be collected; the log of the service says why',
};

/** Handles runs: gathers the payload of each once, freezes it, and makes one delivery for each enabled action. */
@Injectable()
export class ExporterService implements OnModuleInit {
  constructor(
    private readonly repository: ExportsRepository,
    private readonly payloads: FrozenPayloads,
    private readonly secrets: ActionSecrets,
    private readonly box: SecretBox,
    private readonly unitOfWork: UnitOfWork,
    private readonly jobs: JobRunner,
  ) {}

  onModuleInit(): void {
    const handler: TaskHandler = (payload, context) => this.runOnce((payload as { runId: string }).runId, context);
    this.jobs.register(runTask, handler, { deadlineSeconds: 600 });
  }

  /**
   * Exports a pending run; idempotent. Where payloads lie on other servers, an earlier try may have left one there although the
   * run is pending: a retry removes it.
   */
  async run(runId: string, isRetry = false): Promise<void> {
    await this.unitOfWork.run(async () => {
      await this.repository.takeSnapshot();
      const run = await this.repository.lockPending(runId);
      if (!run) return;
      if (run.workflowId === null) return this.repository.settle(runId, 'FAILED', workflowDeleted);
      if (!run.workflowEnabled) return this.repository.settle(runId, 'CANCELED', workflowDisabled);
      if (run.actions.length === 0) return this.repository.settle(runId, 'FAILED', reasons.disabled);
      if (isRetry) await this.payloads.discard(run.organizationId, runId);
      await this.send(run);
    });
  }

  private async runOnce(runId: string, { isRetry, lastTry }: JobContext): Promise<void> {
    try {
      await this.run(runId, isRetry);
    } catch (error) {
      if (lastTry) await this.repository.settle(runId, 'FAILED', reasons.broken);
      throw error;
    }
  }

  private async send(run: PendingRun): Promise<void> {
    const variant = run.scoped ? 'scoped' : 'default';
    const frozen = await this.payloads.freeze(run.id, planOfRun(run), variant);
    if (!frozen) return this.repository.settle(run.id, 'SKIPPED', reasons.unmatched);
    const { rootBytes, tooLarge } = frozen;
    const fitting = run.actions.filter(({ id }) => !tooLarge.has(id));
    if (fitting.length === 0) {
      await this.payloads.discard(run.organizationId, run.id);
      return this.repository.settle(run.id, 'FAILED', `${new PayloadOverflow().message}: ${reasons.narrow}`);
    }
    const deliveries = fitting.map((action) => this.toDelivery(run.organizationId, action, rootBytes));
    await this.repository.insertDeliveries(run.id, deliveries);
    await this.repository.settleSent(run.id, variant, rootBytes, unsentReason(run.actions, tooLarge));
  }

  private toDelivery(organizationId: string, action: RunAction, rootBytes: RootBytes): NewDelivery {
    const id = uuidV7();
    const { id: actionId, resources, sealed } = action;
    const { url } = this.secrets.open(actionId, sealed);
    return {
      id,
      actionId,
      urlSealed: this.box.seal(url, sealedUrlPlace(id)),
      resources,
      payloadBytes: bodyBytes(rootBytes, resources),
      flags: receiverFlags({ sender: organizationId, url }),
    };
  }
}

/** Names the actions whose payload is too large, by their position among the enabled ones; null for none. */
function unsentReason(actions: RunAction[], tooLarge: Set<string>): string | null {
  const positions = actions.flatMap(({ id }, at) => (tooLarge.has(id) ? [String(at + 1)] : []));
  if (positions.length === 0) return null;
  return `Not sent by action ${positions.join(', ')}: ${new PayloadOverflow().message}: ${reasons.narrow}`;
}
