import { Injectable, type OnModuleInit } from '@nestjs/common';
import { SecretBox } from '../../platform/crypto/secret-box.js';
import { uuidV7 } from '../../platform/crypto/uuid-v7.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { JobRunner } from '../../platform/jobs/job-runner.js';
import { sealedUrlPlace } from '../../platform/delivery/delivery-statuses.js';
import { receiverFlags } from '../../platform/delivery/receivers.js';
import type { JobContext, TaskHandler } from '../../platform/jobs/task.js';
import { ViewGone } from '../views/views.service.js';
import { ActionSecrets } from '../workflows/action-secrets.js';
import { runTask } from '../workflows/workflow-tasks.js';
import { WorkflowTroublesService } from '../workflows/workflow-troubles.service.js';
import { workflowDeleted, workflowDisabled } from '../workflows/workflows.service.js';
import { isExport, planOfRun } from './export-plan.js';
import { ExportsRepository, type NewDelivery, type PendingRun, type RunAction } from './exports.repository.js';
import { FrozenPayloads } from './frozen-payloads.js';
import type { Gathered } from './payload-gatherer.js';
import { partsOf } from './payload-parts.js';
import { maxPayloadBytes, PayloadOverflow } from './payload-rows.js';
import { bodyBytes, partBytes, sentRoots } from './payload-store.js';
import { RunNotices } from './run-notices.js';

const reasons = {
  disabled: 'All actions of the workflow are disabled: enable at least one',
  unmatched: 'Nothing matches the conditions any more',
  unchanged: 'Nothing has changed since the last run',
  noDigest: 'The action was disabled before its digest',
  narrow: 'narrow the conditions or the resources, or let the action send it in parts',
  broken: 'The payload could not be collected; the log of the service says why',
};

/** What the arrays of a part may have: the rest is for what stands around them. */
const mostOfPart = maxPayloadBytes - 1_024;

/** Handles runs: gathers the payload of each once, freezes it, and makes one delivery for each enabled action. */
@Injectable()
export class ExporterService implements OnModuleInit {
  constructor(
    private readonly repository: ExportsRepository,
    private readonly payloads: FrozenPayloads,
    private readonly notices: RunNotices,
    private readonly troubles: WorkflowTroublesService,
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
    const horizon = await this.repository.horizon();
    await this.unitOfWork.run(async () => {
      await this.repository.takeSnapshot();
      const run = await this.repository.lockPending(runId);
      if (!run) return;
      if (run.workflowId === null) return this.repository.settle(runId, 'FAILED', workflowDeleted);
      if (!run.workflowEnabled) return this.repository.settle(runId, 'CANCELED', workflowDisabled);
      if (run.actions.length === 0 && run.digestActionId !== null) {
        return this.repository.settle(runId, 'CANCELED', reasons.noDigest);
      }
      if (run.actions.length === 0) return this.fail(run.id, run.workflowId, reasons.disabled);
      if (isRetry) await this.payloads.discard(run.organizationId, runId);
      await this.send(run, horizon);
    });
  }

  private async runOnce(runId: string, { isRetry, lastTry }: JobContext): Promise<void> {
    try {
      await this.run(runId, isRetry);
    } catch (error) {
      if (lastTry) await this.unitOfWork.run(() => this.broken(runId));
      throw error;
    }
  }

  private async send(run: PendingRun, horizon: Date): Promise<void> {
    const variant = run.scoped ? 'scoped' : 'default';
    const plan = planOfRun(run);
    const frozen = await this.payloads.freeze(run.id, plan, variant).catch(orViewGone);
    if (frozen instanceof ViewGone) return this.fail(run.id, run.workflowId, frozen.problems[0]?.msg ?? '');
    if (!frozen) {
      const reason = run.changedSince === null ? reasons.unmatched : reasons.unchanged;
      return this.repository.settle(run.id, 'SKIPPED', reason);
    }
    const { rootBytes, tooLarge, matching } = frozen;
    const fitting = run.actions.filter(({ id }) => !tooLarge.has(id));
    if (fitting.length === 0) {
      await this.payloads.discard(run.organizationId, run.id);
      return this.fail(run.id, run.workflowId, `${new PayloadOverflow().message}: ${reasons.narrow}`);
    }
    const exports = fitting.filter(isExport).flatMap((action) => this.toDeliveries(run.organizationId, action, frozen));
    const notices = await this.notices.send(plan, run, matching);
    await this.repository.insertDeliveries(run.id, [...exports, ...notices.deliveries]);
    const trouble = unsentReason(run.actions, tooLarge) ?? notices.trouble;
    const reason = [trouble, ...notices.remarks].filter((one) => one !== null).join('. ') || null;
    const seenUntil = run.trigger === 'SCHEDULE' ? horizon : null;
    await this.repository.settleSent(run.id, variant, rootBytes, { reason, seenUntil });
    if (run.workflowId === null) return;
    if (trouble === null) await this.troubles.end(run.workflowId);
    else await this.troubles.begin(run.workflowId, trouble);
  }

  private async broken(runId: string): Promise<void> {
    const run = await this.repository.lockPending(runId);
    if (run) await this.fail(runId, run.workflowId, reasons.broken);
  }

  /** The run sends nothing, and the admins learn why. */
  private async fail(runId: string, workflowId: string | null, reason: string): Promise<void> {
    await this.repository.settle(runId, 'FAILED', reason);
    if (workflowId !== null) await this.troubles.begin(workflowId, reason);
  }

  /** One delivery, or the parts of a payload that is too large for one POST. */
  private toDeliveries(organizationId: string, action: RunAction, frozen: Gathered): NewDelivery[] {
    const { id: actionId, resources, inParts, sealed } = action;
    const { url } = this.secrets.open(actionId, sealed);
    const rootBytes = sentRoots(frozen.rootBytes, resources);
    const whole = bodyBytes(rootBytes, null);
    const parts = inParts && whole > maxPayloadBytes ? partsOf(rootBytes, frozen.rootCuts, mostOfPart) : [null];
    return parts.map((partRanges, at): NewDelivery => {
      const id = uuidV7();
      const place = partRanges === null ? null : { part: at + 1, of: parts.length };
      return {
        id,
        actionId,
        urlSealed: this.box.seal(url, sealedUrlPlace(id)),
        bodySealed: null,
        resources,
        payloadBytes: partRanges && place ? partBytes(partRanges, place) : whole,
        part: place?.part ?? null,
        parts: place?.of ?? null,
        partRanges,
        flags: receiverFlags({ sender: organizationId, url }),
      };
    });
  }
}

/** A workflow whose view is gone says so, rather than sending everything. */
function orViewGone(error: unknown): ViewGone {
  if (error instanceof ViewGone) return error;
  throw error;
}

/** Names the actions whose payload is too large, by their position among the enabled ones; null for none. */
function unsentReason(actions: RunAction[], tooLarge: Set<string>): string | null {
  const positions = actions.flatMap(({ id }, at) => (tooLarge.has(id) ? [String(at + 1)] : []));
  if (positions.length === 0) return null;
  return `Not sent by action ${positions.join(', ')}: ${new PayloadOverflow().message}: ${reasons.narrow}`;
}
