import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../platform/audit/audit-log.js';
import type { OrganizationCaller } from '../../platform/auth/organization-caller.js';
import { Invalid } from '../../platform/errors/invalid.js';
import { assertParameters } from '../../platform/delivery/receiver-rules.js';
import { newSecret, previousExpiresAt, withNewSecret } from '../../platform/delivery/signing-secrets.js';
import { found } from '../../platform/errors/errors.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { ActionSecrets } from './action-secrets.js';
import type { RotatedSecret, SecretRotation } from './secret-rotation.dto.js';
import { WorkflowsRepository } from './workflows.repository.js';

/** Rotates the secrets that sign what actions send: for a while, the earlier ones sign too (Standard Webhooks 1.0.0). */
@Injectable()
export class SecretRotationService {
  constructor(
    private readonly repository: WorkflowsRepository,
    private readonly secrets: ActionSecrets,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Replaces the secret of an action and returns the new one; the one before signs too until the overlap ends, and older ones
   * until theirs does. Without an overlap, the new one alone signs. `NotFound` for no such workflow or action, `Invalid` for a
   * malformed secret or the present one, `Conflict` where too many sign already.
   */
  async rotate(
    { organizationId }: OrganizationCaller,
    { id, actionId }: { id: string; actionId: string },
    given: SecretRotation,
  ): Promise<RotatedSecret> {
    const secret = given.secret ?? newSecret();
    return this.unitOfWork.run(async () => {
      await this.repository.lock(organizationId, id);
      const workflow = found(await this.repository.byId(organizationId, id), 'Workflow');
      const action = found(
        workflow.actions.find((one) => one.id === actionId.toLowerCase()),
        'Action',
      );
      const stored = this.secrets.open(action.id, action.sealed);
      if (secret === stored.secret) {
        throw Invalid.at(['body', 'secret'], 'value_error', 'Input should differ from the current secret');
      }
      assertParameters({ headers: stored.headers, secret }, ['body']);
      const rotated = withNewSecret(stored, secret, given.overlapSeconds, 'overlapSeconds');
      await this.repository.sealAction(workflow.id, action.id, this.secrets.seal(action.id, rotated));
      const changes = { [`actions.${action.id}.secret`]: { changed: true } } as const;
      await this.audit.record({ action: 'workflow.secret_rotated', organizationId, subject: workflow, changes });
      return { secret, previousSecretExpiresAt: previousExpiresAt(rotated) };
    });
  }
}
