import { Injectable, type OnModuleInit } from '@nestjs/common';
import { SecretBox } from '../../common/crypto/secret-box.js';
import { uuidV7 } from '../../common/crypto/uuid-v7.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { JobRunner } from '../../jobs/job-runner.js';
import type { JobContext } from '../../jobs/task.js';
import { ActionSecrets } from '../workflows/action-secrets.js';
import { runTask } from '../workflows/runs.repository.js';
import { planOfRun } from './export-plan.js';
import { ExportsRepository, type NewDelivery, type PendingRun, type RunAction } from './exports.repository.js';
import { PayloadGatherer } from './payload-gatherer.js';
import { PayloadOverflow } from './payload-rows.js';
import { bodyBytes, PayloadStore, type RootBytes } from './payload-store.js';
import { sealedUrlPlace } from './deliveries.repository.js';
import { deliveryTask, workflowDisabled } from '../workflows/cancellations.repository.js';
import { receiverMarks } from './receivers.js';

const reasons = {
  deleted: 'The workflow was deleted before the run',
  disabled: 'All actions of the workflow are disabled: enable one to send',
  unmatched: 'Nothing that it is about matches the conditions any more',
  narrow: 'narrow the conditions or the resources',
  broken: 'The payload could not be gathered; the log of the service says why',
};

/** Handles runs: gathers the payload of each once, freezes it, and makes one delivery for each enabled action. */
@Injectable()
export class ExporterService implements OnModuleInit {
  constructor(
    private readonly repository: ExportsRepository,
    private readonly gatherer: PayloadGatherer,
    private readonly store: PayloadStore,
    private readonly secrets: ActionSecrets,
    private readonly box: SecretBox,
    private readonly unitOfWork: UnitOfWork,
    private readonly jobs: JobRunner,
  ) {}

  onModuleInit(): void {
    this.jobs.register(runTask, (payload, context) => this.runOnce((payload as { runId: string }).runId, context));
  }

  /** Exports a pending run; one that is not pending any more is left as it is, so that it is safe to call again. */
  async run(runId: string): Promise<void> {
    await this.unitOfWork.run(async () => {
      await this.repository.holdStill();
      const run = await this.repository.lockPending(runId);
      if (!run) return;
      if (run.workflowId === null) return this.repository.settle(runId, 'FAILED', reasons.deleted);
      if (!run.workflowEnabled) return this.repository.settle(runId, 'CANCELED', workflowDisabled);
      if (run.actions.length === 0) return this.repository.settle(runId, 'FAILED', reasons.disabled);
      await this.send(run);
    });
  }

  private async runOnce(runId: string, { lastTry }: JobContext): Promise<void> {
    try {
      await this.run(runId);
    } catch (error) {
      if (lastTry) await this.repository.settle(runId, 'FAILED', reasons.broken);
      throw error;
    }
  }

  private async send(run: PendingRun): Promise<void> {
    const shape = run.scoped ? 'scoped' : 'default';
    const plan = planOfRun(run);
    const ids = await this.gatherer.find(plan);
    if (!ids) return this.repository.settle(run.id, 'SKIPPED', reasons.unmatched);
    const { rootBytes, tooLarge } = await this.gatherer.gather(plan, ids, shape, this.store.sinkOf(run.id));
    const fitting = run.actions.filter(({ id }) => !tooLarge.has(id));
    if (fitting.length === 0) {
      await this.store.discard(run.id);
      return this.repository.settle(run.id, 'FAILED', `${new PayloadOverflow().message}: ${reasons.narrow}`);
    }
    const deliveries = fitting.map((action) => this.toDelivery(run.organizationId, action, rootBytes));
    await this.repository.insertDeliveries(run.id, deliveries, deliveryTask);
    await this.repository.settleSent(run.id, shape, rootBytes, unsentReason(run.actions, tooLarge));
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
      flags: receiverMarks({ organizationId, url }),
    };
  }
}

/** Which actions send nothing for their payload is too large, by their place among the enabled ones; null for none. */
function unsentReason(actions: RunAction[], tooLarge: Set<string>): string | null {
  const places = actions.flatMap(({ id }, at) => (tooLarge.has(id) ? [String(at + 1)] : []));
  if (places.length === 0) return null;
  return `Not sent by action ${places.join(', ')}: ${new PayloadOverflow().message}: ${reasons.narrow}`;
}
