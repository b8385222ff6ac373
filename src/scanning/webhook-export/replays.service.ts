import { Injectable } from '@nestjs/common';
import { changesOf } from '../../platform/audit/audit-changes.js';
import { AuditLog } from '../../platform/audit/audit-log.js';
import type { OrganizationCaller } from '../../platform/auth/organization-caller.js';
import { Invalid } from '../../platform/errors/invalid.js';
import { Conflict, found, NotFound } from '../../platform/errors/errors.js';
import { replayDays } from '../../platform/delivery/delivery-statuses.js';
import { receiverFlags } from '../../platform/delivery/receivers.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { ActionSecrets } from '../workflows/action-secrets.js';
import { WorkflowsService } from '../workflows/workflows.service.js';
import type { Replayed, ReplaySince } from './deliveries.dto.js';
import { type FlaggedAction, type Replayable, ReplaysRepository } from './replays.repository.js';

const dayMs = 86_400_000;

/** Sends deliveries again. */
@Injectable()
export class ReplaysService {
  constructor(
    private readonly repository: ReplaysRepository,
    private readonly workflows: WorkflowsService,
    private readonly secrets: ActionSecrets,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Sends a delivery again, with the same id and bytes and as many attempts as at first; `NotFound` where it, its action or
   * its payload is gone, `Conflict` while it is being sent or its action or workflow is disabled.
   */
  async replay({ organizationId }: OrganizationCaller, id: string): Promise<void> {
    await this.unitOfWork.run(async () => {
      const known = found(await this.repository.lockReplayable(organizationId, id), 'Delivery');
      const { action, kept, underWay } = known;
      if (action === null) {
        throw new NotFound('The action of this delivery was deleted: it cannot be sent again', 'action_gone');
      }
      if (!kept)
        throw new NotFound('The payload of this delivery was deleted after its retention time', 'payload_gone');
      assertEnabled(action);
      if (underWay)
        throw new Conflict('The delivery is being sent at the moment: wait until the attempt has ended', 'under_way');
      await this.repository.replay(id, this.flagged(organizationId, action));
      await this.audit.record({ action: 'delivery.replayed', organizationId, subject: { id } });
    });
  }

  /**
   * Sends all deliveries of a workflow again that ended in one of these statuses since then; `Invalid` for more than 14 days,
   * `NotFound` for no workflow.
   */
  async replayAll(caller: OrganizationCaller, workflowId: string, given: ReplaySince): Promise<Replayed> {
    const { organizationId } = caller;
    const since = new Date(given.since);
    if (Date.now() - since.getTime() > replayDays * dayMs) {
      const msg = `Input should be at most ${replayDays} days ago`;
      throw Invalid.at(['body', 'since'], 'value_error', msg, given.since);
    }
    const { id, name } = await this.workflows.get(caller, workflowId);
    const sending = await this.repository.sendingActions(organizationId, workflowId);
    const actions = sending.map((action) => this.flagged(organizationId, action));
    return this.unitOfWork.run(async () => {
      const replayed = await this.repository.replayAll(workflowId, actions, given.statuses, since);
      const changes = changesOf(
        {},
        { replayed: replayed || null, since: replayed ? since : null },
        { shown: ['replayed', 'since'] },
      );
      await this.audit.record({
        action: 'workflow.deliveries_replayed',
        organizationId,
        subject: { id, name },
        changes,
      });
      return { replayed };
    });
  }

  private flagged(organizationId: string, { id, sealed }: { id: string; sealed: string }): FlaggedAction {
    return { id, flags: receiverFlags({ sender: organizationId, url: this.secrets.open(id, sealed).url }) };
  }
}

function assertEnabled({ enabled, workflowEnabled }: NonNullable<Replayable['action']>): void {
  if (!workflowEnabled) {
    throw new Conflict('The workflow of this delivery is disabled: enable it first', 'workflow_disabled');
  }
  if (!enabled) {
    throw new Conflict('The action of this delivery is disabled: enable it in its workflow first', 'action_disabled');
  }
}
