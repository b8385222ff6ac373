import { Injectable } from '@nestjs/common';
import { uuidV7 } from '../../platform/crypto/uuid-v7.js';
import { Invalid } from '../../platform/errors/invalid.js';
import { isMask } from '../../platform/crypto/secret-mask.js';
import { ReceiverAddresses } from '../../platform/delivery/receiver-addresses.js';
import { assertParameters } from '../../platform/delivery/receiver-rules.js';
import type { SealedParameters } from '../../platform/delivery/signing-secrets.js';
import { ActionSecrets, withStored } from './action-secrets.js';
import type { StoredAction } from './workflow-action.entity.js';
import type { WorkflowActionUpdate } from './workflow-updates.dto.js';

/** Reads the actions that callers give a workflow. */
@Injectable()
export class WorkflowActions {
  constructor(
    private readonly secrets: ActionSecrets,
    private readonly addresses: ReceiverAddresses,
  ) {}

  /** Throws `Invalid` where what a draft has of its actions could not be saved. A mask stands for what is stored. */
  async assertDraft(actions: WorkflowActionUpdate[]): Promise<void> {
    for (const [index, { parameters }] of actions.entries()) {
      const { headers = [], secret = null } = parameters;
      const shown = headers.map(({ name, value }) => ({ name, value: isMask(value) ? '' : value }));
      const sent = { headers: shown, secret: secret && isMask(secret) ? null : secret };
      assertParameters(sent, ['body', 'actions', index, 'parameters']);
    }
    await Promise.all(actions.map(({ parameters }, index) => this.assertTarget(parameters.url, index)));
  }

  /** Throws `Invalid` at the first forbidden address; the check may need the network. */
  async assertTargets(actions: WorkflowActionUpdate[]): Promise<void> {
    if (actions.length === 0) {
      throw Invalid.at(
        ['body', 'actions'],
        'too_short',
        'List should have at least 1 item: a workflow without actions does nothing',
      );
    }
    await Promise.all(actions.map(({ parameters }, index) => this.assertTarget(parameters.url, index)));
  }

  /**
   * The actions to store: as given, and as stored where the caller omits something. `Invalid` for headers or a secret that cannot
   * be sent, a new action without an address, or an id of no action of the workflow.
   */
  read(given: WorkflowActionUpdate[], stored: StoredAction[]): Omit<StoredAction, 'disabledReason'>[] {
    const before = this.matched(given, stored);
    return given.map((action, index) => {
      const known = before[index];
      const id = known?.id ?? uuidV7();
      const loc = ['body', 'actions', index, 'parameters'];
      const whole = this.parametersOf(action, known, loc);
      assertParameters(whole, loc);
      const wanted = action.parameters.resources;
      const resources = wanted === undefined ? (known?.resources ?? null) : wanted && [...new Set(wanted)];
      const enabled = action.enabled ?? known?.enabled ?? true;
      return { id, enabled, resources, sealed: this.secrets.seal(id, whole) };
    });
  }

  /** The parameters of a stored action, with its secrets. */
  open(id: string, sealed: string): SealedParameters {
    return this.secrets.open(id, sealed);
  }

  /** The whole parameters. An action identified only by its place inherits headers and secret only for the same address. */
  private parametersOf(
    { id, parameters }: WorkflowActionUpdate,
    known: StoredAction | undefined,
    loc: (string | number)[],
  ): SealedParameters {
    const stored = known ? this.secrets.open(known.id, known.sealed) : null;
    const url = parameters.url ?? stored?.url;
    if (url === undefined) throw Invalid.at([...loc, 'url'], 'missing', 'Field required');
    return withStored(url, parameters, stored, id !== undefined || url === stored?.url);
  }

  /** The stored action of each given one: by its id, or without one by its place, unless another names that action. */
  private matched(given: WorkflowActionUpdate[], stored: StoredAction[]): (StoredAction | undefined)[] {
    const named = new Set<string>();
    for (const [index, { id }] of given.entries()) {
      if (id === undefined) continue;
      const loc = ['body', 'actions', index, 'id'];
      const key = id.toLowerCase();
      if (!stored.some((action) => action.id === key)) {
        throw Invalid.at(loc, 'value_error', 'Input should be the id of an action of this workflow, or be omitted');
      }
      if (named.has(key)) throw Invalid.at(loc, 'value_error', 'The same action appears twice: remove one');
      named.add(key);
    }
    return given.map(({ id }, index) => {
      const place = stored[index];
      if (id !== undefined) return stored.find((action) => action.id === id.toLowerCase());
      return place && !named.has(place.id) ? place : undefined;
    });
  }

  private async assertTarget(url: string | undefined, index: number): Promise<void> {
    if (url !== undefined) await this.addresses.assert(url, ['body', 'actions', index, 'parameters', 'url']);
  }
}
