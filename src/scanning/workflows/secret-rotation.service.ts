import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../platform/audit/audit-log.js';
import type { OrganizationCaller } from '../../platform/auth/organization-caller.js';
import { Invalid } from '../../platform/errors/invalid.js';
import { Conflict, found } from '../../platform/errors/errors.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { assertParameters } from './action-rules.js';
import {
  ActionSecrets,
  previousAt,
  previousExpiresAt,
  type PreviousSecret,
  type SealedParameters,
} from './action-secrets.js';
import type { RotatedSecret, SecretRotation } from './secret-rotation.dto.js';
import { WorkflowsRepository } from './workflows.repository.js';

const madeBytes = 32;
// Unspecified: how many secrets sign at once; each makes the header of a delivery longer by 47 bytes.
const mostPrevious = 9;

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
    const secret = given.secret ?? `whsec_${randomBytes(madeBytes).toString('base64')}`;
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
      const rotated = { ...stored, secret, previous: previousOf(stored, secret, given.overlapSeconds) };
      await this.repository.sealAction(workflow.id, action.id, this.secrets.seal(action.id, rotated));
      const changes = { [`actions.${action.id}.secret`]: { changed: true } } as const;
      await this.audit.record({ action: 'workflow.secret_rotated', organizationId, subject: workflow, changes });
      return { secret, previousSecretExpiresAt: previousExpiresAt(rotated) };
    });
  }
}

/** The earlier secrets that sign beside the new one. */
function previousOf(stored: SealedParameters, secret: string, overlapSeconds: number): PreviousSecret[] {
  if (stored.secret === null || overlapSeconds === 0) return [];
  const now = new Date();
  const expiresAt = new Date(now.getTime() + overlapSeconds * 1_000).toISOString();
  const older = previousAt(stored, now).filter((earlier) => earlier.secret !== secret);
  if (older.length >= mostPrevious) {
    const sentence =
      `${mostPrevious} earlier secrets are still valid: wait until they expire, or send ` +
      `overlapSeconds 0, which ends all of them`;
    throw new Conflict(sentence);
  }
  return [{ secret: stored.secret, expiresAt }, ...older];
}
