import { Injectable } from '@nestjs/common';
import { uuidV7 } from '../../platform/crypto/uuid-v7.js';
import { Invalid } from '../../platform/errors/invalid.js';
import { isMask } from '../../platform/crypto/secret-mask.js';
import { ReceiverAddresses } from '../../platform/delivery/receiver-addresses.js';
import { assertParameters } from '../../platform/delivery/receiver-rules.js';
import { NoticeMembersService } from '../notifications/notice-members.service.js';
import { assertKind, assertKindParameters } from './action-rules.js';
import { type ActionParameters, ActionSecrets, shownAddress, withStored } from './action-secrets.js';
import { assertTemplate } from '../notifications/notice-template.js';
import { isChat } from '../notifications/notification-kinds.js';
import type { StoredAction } from './workflow-action.entity.js';
import type { WorkflowActionUpdate } from './workflow-updates.dto.js';

/** Reads the actions that callers give a workflow. */
@Injectable()
export class WorkflowActions {
  constructor(
    private readonly secrets: ActionSecrets,
    private readonly addresses: ReceiverAddresses,
    private readonly members: NoticeMembersService,
  ) {}

  /** Throws `Invalid` where what a draft has of its actions could not be saved. A mask stands for what is stored. */
  async assertDraft(actions: WorkflowActionUpdate[]): Promise<void> {
    for (const [index, { type, integrationKind, parameters }] of actions.entries()) {
      assertKind(type, integrationKind, ['body', 'actions', index]);
      const { headers = [], secret = null, template, perIssue = false } = parameters;
      if (template) assertTemplate(template, perIssue, ['body', 'actions', index, 'parameters', 'template']);
      const shown = headers.map(({ name, value }) => ({ name, value: isMask(value) ? '' : value }));
      const sent = { headers: shown, secret: secret && isMask(secret) ? null : secret };
      assertParameters(sent, ['body', 'actions', index, 'parameters']);
    }
    await Promise.all(actions.map((action, index) => this.assertTarget(action, index)));
  }

  /** Throws `Invalid` at the first forbidden address, or person who is no member; the check may need the network. */
  async assertTargets(organizationId: string, actions: WorkflowActionUpdate[]): Promise<void> {
    if (actions.length === 0) {
      throw Invalid.at(
        ['body', 'actions'],
        'too_short',
        'List should have at least 1 item: a workflow without actions does nothing',
      );
    }
    await Promise.all(actions.map((action, index) => this.assertTarget(action, index)));
    await this.assertMembers(organizationId, actions);
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
      const { type, integrationKind: kind } = action;
      const loc = ['body', 'actions', index];
      assertKind(type, kind, loc);
      const whole = this.parametersOf(action, known?.kind === kind ? known : undefined, [...loc, 'parameters']);
      assertParameters(whole, [...loc, 'parameters']);
      assertKindParameters(kind, whole, loc);
      const digest = action.digest === undefined ? (known?.digest ?? null) : action.digest;
      if (digest !== null && type === 'EXPORT') {
        throw Invalid.at([...loc, 'digest'], 'value_error', 'Only a NOTIFY has a digest: remove it');
      }
      const wanted = action.parameters.resources;
      const resources = wanted === undefined ? (known?.resources ?? null) : wanted && [...new Set(wanted)];
      const enabled = action.enabled ?? known?.enabled ?? true;
      const inParts = action.parameters.parts ?? known?.inParts ?? false;
      if (inParts && type !== 'EXPORT') {
        throw Invalid.at([...loc, 'parameters', 'parts'], 'value_error', 'Only an EXPORT goes out in parts: remove it');
      }
      return { id, type, kind, digest, inParts, enabled, resources, sealed: this.secrets.seal(id, whole) };
    });
  }

  /** The parameters of a stored action, with its secrets. */
  open(id: string, sealed: string): ActionParameters {
    return this.secrets.open(id, sealed);
  }

  /** The whole parameters. An action identified only by its place inherits headers and secret only for the same address. */
  private parametersOf(
    { id, integrationKind: kind, parameters }: WorkflowActionUpdate,
    known: StoredAction | undefined,
    loc: (string | number)[],
  ): ActionParameters {
    const stored = known ? this.secrets.open(known.id, known.sealed) : null;
    const isShown = stored !== null && parameters.url === shownAddress(isChat(kind), stored.url, { isAdmin: true });
    const url = kind === 'EMAIL' ? '' : isShown ? stored.url : (parameters.url ?? stored?.url);
    if (kind !== 'EMAIL' && isMask(url ?? '')) {
      const msg = 'Input should be the address itself: this is a mask, and it does not match the stored one';
      throw Invalid.at([...loc, 'url'], 'value_error', msg);
    }
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

  private async assertMembers(organizationId: string, actions: WorkflowActionUpdate[]): Promise<void> {
    const asked = actions.flatMap(({ parameters: { memberIds } }) => memberIds ?? []);
    if (asked.length === 0) return;
    const members = await this.members.among(organizationId, asked);
    for (const [index, { parameters }] of actions.entries()) {
      const at = parameters.memberIds?.findIndex((id) => !members.has(id.toLowerCase())) ?? -1;
      if (at < 0) continue;
      const msg = 'Input should be the user id of a member: GET /api/v1/organizations/{id}/members lists them';
      throw Invalid.at(['body', 'actions', index, 'parameters', 'memberIds', at], 'value_error', msg);
    }
  }

  /** The mask of a chat's address stands for what is stored, which was checked before. */
  private async assertTarget(
    { integrationKind, parameters: { url } }: WorkflowActionUpdate,
    index: number,
  ): Promise<void> {
    if (integrationKind === 'EMAIL') {
      if (!url) return;
      const msg = 'EMAIL goes to members rather than to an address: remove it';
      throw Invalid.at(['body', 'actions', index, 'parameters', 'url'], 'value_error', msg);
    }
    if (url && !isMask(url)) await this.addresses.assert(url, ['body', 'actions', index, 'parameters', 'url']);
  }
}
