import { numberOf, textOf } from '../../parts/number-text.js';
import type { Workflow, WorkflowConditions, WorkflowCreate } from '@store-service/sdk';

export type TriggerType = Workflow['trigger']['type'];
export type Root = 'issues' | 'assets' | 'scans' | 'profiles' | 'locations' | 'integrations';

export const roots: Root[] = ['issues', 'assets', 'scans', 'profiles', 'locations', 'integrations'];

/** When a workflow runs, in words. */
export const triggers: Record<TriggerType, { title: string; hint: string }> = {
  NEW_ISSUE: { title: 'A new issue', hint: 'A scan or a report found something for the first time.' },
  ISSUE_UPDATED: {
    title: 'A changed issue',
    hint: 'A status or severity changed, by a person or by being found again.',
  },
  ASSET_FOUND: { title: 'A new asset', hint: 'An asset was added, by hand or by a report.' },
  ASSET_UPDATED: { title: 'A changed asset', hint: 'A field or tag of an asset changed.' },
  SCAN_STARTED: { title: 'A scan starts', hint: 'A scan becomes RUNNING.' },
  SCAN_COMPLETED: { title: 'A scan completes', hint: 'A scan becomes FINISHED; imported reports too.' },
  SCAN_FAILED: { title: 'A scan fails', hint: 'A scan becomes FAILED.' },
  INTEGRATION_FAILED: { title: 'An integration fails', hint: 'The credentials of an integration stop being valid.' },
  LOCATION_DOWN: { title: 'A location goes down', hint: 'A location is disabled.' },
  SCHEDULE: {
    title: 'A schedule',
    hint: 'At the times of a cron expression. Sends all that matches, also if that is nothing.',
  },
  MANUAL: { title: 'By hand', hint: 'Only when somebody runs it. Sends all that matches, also if that is nothing.' },
};

export interface DraftHeader {
  name: string;
  value: string;
}

export type ActionKind = Workflow['actions'][number]['integrationKind'];

/** What an action can do, in words; the first exports, and the others tell people. */
export const actionKinds: Record<ActionKind, string> = {
  WEBHOOK: 'Export to a webhook',
  SLACK: 'Message to Slack',
  TEAMS: 'Message to Microsoft Teams',
  DISCORD: 'Message to Discord',
  EMAIL: 'Mail to members',
  TEMPLATE: 'A JSON body of your own',
};

export type Digest = NonNullable<Workflow['actions'][number]['digest']>;

/** When a notification about events is sent, in words. */
export const digests: Record<Digest | '', string> = {
  '': 'At once',
  hourly: 'Together, at the full hour',
  daily: 'Together, every day at eight',
  weekly: 'Together, on Mondays at eight',
};

/** Whether a notification may gather what happens: runs at times and by hand are about everything. */
export const mayGather = (trigger: TriggerType): boolean => trigger !== 'SCHEDULE' && trigger !== 'MANUAL';

/** An action in the form in which it is edited. */
export interface DraftAction {
  id?: string;
  kind: ActionKind;
  enabled: boolean;
  disabledReason: string | null;
  url: string;
  headers: DraftHeader[];
  secret: string;
  /** Null for all of them. */
  resources: Root[] | null;
  memberIds: string[];
  /** JSON, as it is written. */
  template: string;
  perIssue: boolean;
  digest: Digest | '';
  parts: boolean;
}

export interface Draft {
  name: string;
  enabled: boolean;
  trigger: TriggerType;
  cron: string;
  timeZone: string;
  /** As it is written. */
  throttleSeconds: string;
  conditions: WorkflowConditions;
  actions: DraftAction[];
}

const firstTemplate = JSON.stringify({ title: '{{ title }}', text: '{{ worst }}', link: '{{ url }}' }, null, 2);

export const emptyAction = (): DraftAction => ({
  kind: 'WEBHOOK',
  enabled: true,
  disabledReason: null,
  url: '',
  headers: [],
  secret: '',
  resources: null,
  memberIds: [],
  template: firstTemplate,
  perIssue: false,
  digest: '',
  parts: false,
});

export function emptyDraft(): Draft {
  return {
    name: '',
    enabled: true,
    trigger: 'NEW_ISSUE',
    cron: '0 6 * * *',
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    throttleSeconds: '0',
    conditions: {},
    actions: [emptyAction()],
  };
}

export function draftOf({ name, enabled, trigger, conditions, throttleMs, actions }: Workflow): Draft {
  return {
    name,
    enabled,
    trigger: trigger.type,
    cron: trigger.cron ?? '0 6 * * *',
    timeZone: trigger.timeZone,
    throttleSeconds: textOf(throttleMs / 1000, throttleMs % 1000 === 0 ? 0 : 3),
    conditions: structuredClone(conditions),
    actions: actions.map(({ id, integrationKind, enabled: isOn, disabledReason, digest, parameters }) => ({
      id,
      kind: integrationKind,
      enabled: isOn,
      disabledReason,
      url: parameters.url ?? '',
      headers: parameters.headers.map((header) => ({ ...header })),
      secret: parameters.secret ?? '',
      resources: parameters.resources,
      memberIds: parameters.memberIds ?? [],
      template: parameters.template ? JSON.stringify(parameters.template, null, 2) : firstTemplate,
      perIssue: parameters.perIssue ?? false,
      digest: digest ?? '',
      parts: parameters.parts ?? false,
    })),
  };
}

function conditionsOf({ changedSinceLast, ...others }: WorkflowConditions, trigger: TriggerType): WorkflowConditions {
  const conditions = trigger === 'SCHEDULE' ? { ...others, changedSinceLast } : others;
  const kept = Object.entries(conditions).filter(([, value]) =>
    Array.isArray(value) ? value.length > 0 : Boolean(value),
  );
  return Object.fromEntries(kept);
}

const digestOf = ({ kind, digest }: DraftAction, trigger: TriggerType): Digest | null =>
  (kind !== 'WEBHOOK' && mayGather(trigger) && digest) || null;

/** Whether it runs, or sends what it gathered, at times of a time zone. */
export const hasTimes = ({ trigger, actions }: Draft): boolean =>
  trigger === 'SCHEDULE' || actions.some((action) => digestOf(action, trigger) !== null);

/** The draft in the form that the service accepts. */
export function bodyOf(draft: Draft): WorkflowCreate {
  return {
    name: draft.name.trim(),
    enabled: draft.enabled,
    trigger: {
      type: draft.trigger,
      ...(draft.trigger === 'SCHEDULE' && { cron: draft.cron.trim() }),
      ...(hasTimes(draft) && { timeZone: draft.timeZone }),
    },
    conditions: conditionsOf(draft.conditions, draft.trigger),
    throttleMs: Math.round((numberOf(draft.throttleSeconds) || 0) * 1000),
    actions: draft.actions.map((action) => ({
      ...(action.id !== undefined && { id: action.id }),
      type: action.kind === 'WEBHOOK' ? 'EXPORT' : 'NOTIFY',
      integrationKind: action.kind,
      enabled: action.enabled,
      ...(action.kind !== 'WEBHOOK' && { digest: digestOf(action, draft.trigger) }),
      parameters: parametersOf(action),
    })),
  };
}

/** The parameters that the kind of an action has. */
function parametersOf(action: DraftAction): WorkflowCreate['actions'][number]['parameters'] {
  const { kind, memberIds, perIssue } = action;
  if (kind === 'EMAIL') return { memberIds };
  const url = action.url.trim();
  if (kind !== 'WEBHOOK' && kind !== 'TEMPLATE') return { url, perIssue };
  const named = action.headers.filter(({ name }) => name.trim());
  const headers = named.map(({ name, value }) => ({ name: name.trim(), value }));
  const secret = action.secret.trim() || null;
  if (kind === 'WEBHOOK') return { url, headers, secret, resources: action.resources, parts: action.parts };
  return { url, headers, secret, template: templateOf(action.template), perIssue };
}

/** The object that a text is; null where it is none, which `templateFault` says. */
function templateOf(text: string): Record<string, unknown> | null {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && !Array.isArray(parsed) ? (parsed as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** Why a text is no body; empty if it is one. */
export function templateFault(text: string): string {
  if (text.trim() === '') return 'Write the body, a JSON object.';
  try {
    JSON.parse(text);
  } catch (error) {
    return `This is no JSON: ${(error as Error).message}.`;
  }
  return templateOf(text) === null ? 'Write a JSON object: { … }.' : '';
}

/** A new signing secret (Standard Webhooks): `whsec_` and the base64 of 32 random bytes. */
export function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return `whsec_${btoa(String.fromCharCode(...bytes))}`;
}
