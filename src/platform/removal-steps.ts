import { Injectable } from '@nestjs/common';

type Step<Removed> = (removed: Removed) => Promise<void>;

/**
 * Steps or objections of higher modules when a lower one deletes something: the lower one does not know them. They add their
 * steps when the service starts.
 */
abstract class RemovalSteps<Removed> {
  private readonly steps: Step<Removed>[] = [];

  add(step: Step<Removed>): void {
    this.steps.push(step);
  }

  /** Runs all steps, within the deletion's unit of work; a refusal that one throws forbids the deletion. */
  async run(removed: Removed): Promise<void> {
    for (const step of this.steps) await step(removed);
  }
}

export interface RemovedAccount {
  userId: string;
  /** Whether its owner deletes it, rather than an admin of the shop. */
  byOwner: boolean;
}

/** Somebody who leaves an organization, or is removed from it. */
export interface RemovedMember {
  organizationId: string;
  userId: string;
}

/** Steps when a member goes, after the membership went; the deletion of an account is a step of its own. */
@Injectable()
export class MemberRemovals extends RemovalSteps<RemovedMember> {}

/** Steps at the deletion of an account, whose row is locked. */
@Injectable()
export class AccountRemovals extends RemovalSteps<RemovedAccount> {}

/** Steps at the deletion of organizations, before their rows go: given their ids. */
@Injectable()
export class OrganizationRemovals extends RemovalSteps<string[]> {}
