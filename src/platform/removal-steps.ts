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

/** Steps at the deletion of an account, whose row is locked. */
@Injectable()
export class AccountRemovals extends RemovalSteps<RemovedAccount> {}

/** Steps at the deletion of organizations, before their rows go: given their ids. */
@Injectable()
export class OrganizationRemovals extends RemovalSteps<string[]> {}
