import { Injectable } from '@nestjs/common';
import { uuidV7 } from '../../common/crypto/uuid-v7.js';
import { Invalid } from '../../common/errors/invalid.js';
import { OutboundHttp } from '../../common/net/outbound-http.js';
import { TargetRefused } from '../../common/net/target-errors.js';
import { demandParameters } from './action-rules.js';
import { ActionSecrets, withStored } from './action-secrets.js';
import type { StoredAction } from './workflows.repository.js';
import type { WorkflowActionInput } from './workflows.shapes.js';

// Not shown: how many actions a workflow has at most.
const maxActions = 10;

/** Reads what callers want as a workflow's actions. */
@Injectable()
export class WorkflowActions {
  constructor(
    private readonly secrets: ActionSecrets,
    private readonly outbound: OutboundHttp,
  ) {}

  /** Checks the addresses, which may ask the network; throws `Invalid` at the first that may not be reached. */
  async demandTargets(actions: WorkflowActionInput[]): Promise<void> {
    if (actions.length === 0) {
      throw Invalid.at(
        ['body', 'actions'],
        'too_short',
        'List should have at least 1 item: a workflow without does nothing',
      );
    }
    if (actions.length > maxActions) {
      throw Invalid.at(['body', 'actions'], 'too_long', `List should have at most ${maxActions} items`);
    }
    await Promise.all(actions.map(({ parameters }, index) => this.demandTarget(parameters.url, index)));
  }

  /** The actions to store; `Invalid` for headers or a secret that cannot be sent, or an id that is none of the workflow's. */
  read(given: WorkflowActionInput[], stored: StoredAction[]): Omit<StoredAction, 'disabledReason'>[] {
    const before = this.matched(given, stored);
    return given.map(({ enabled, parameters }, index) => {
      const known = before[index];
      const id = known?.id ?? uuidV7();
      const whole = withStored(parameters, known ? this.secrets.open(known.id, known.sealed) : null);
      demandParameters(whole, ['body', 'actions', index, 'parameters']);
      const resources = parameters.resources?.length ? [...new Set(parameters.resources)] : null;
      return { id, enabled, resources, sealed: this.secrets.seal(id, whole) };
    });
  }

  /** Which stored action each given one is: by its id, and without one the one in its place that no other names. */
  private matched(given: WorkflowActionInput[], stored: StoredAction[]): (StoredAction | undefined)[] {
    const named = new Set<string>();
    for (const [index, { id }] of given.entries()) {
      if (id === undefined) continue;
      const loc = ['body', 'actions', index, 'id'];
      const key = id.toLowerCase();
      if (!stored.some((action) => action.id === key)) {
        throw Invalid.at(loc, 'value_error', 'Input should be the id of an action of this workflow, or left out');
      }
      if (named.has(key)) throw Invalid.at(loc, 'value_error', 'The same action is there twice: leave one out');
      named.add(key);
    }
    return given.map(({ id }, index) => {
      const place = stored[index];
      if (id !== undefined) return stored.find((action) => action.id === id.toLowerCase());
      return place && !named.has(place.id) ? place : undefined;
    });
  }

  private async demandTarget(url: string, index: number): Promise<void> {
    try {
      await this.outbound.checkTarget(url);
    } catch (error) {
      if (!(error instanceof TargetRefused)) throw error;
      throw Invalid.at(['body', 'actions', index, 'parameters', 'url'], 'value_error', error.message);
    }
  }
}
