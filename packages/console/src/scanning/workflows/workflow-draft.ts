import { numberOf, textOf } from '../../parts/number-text.js';
import type { Workflow, WorkflowConditions, WorkflowCreate } from '@store-service/sdk';
import { texts } from '../../texts/texts.js';

export type TriggerType = Workflow['trigger']['type'];
export type Root = 'issues' | 'assets' | 'scans' | 'profiles' | 'locations' | 'integrations';

export const roots: Root[] = ['issues', 'assets', 'scans', 'profiles', 'locations', 'integrations'];

/** When a workflow runs, in words. */
export const triggers: Record<TriggerType, { title: string; hint: string }> = {
  NEW_ISSUE: { title: texts.workflows.aNewIssue, hint: texts.workflows.aScanOrAReport },
  ISSUE_UPDATED: {
    title: texts.workflows.aChangedIssue,
    hint: texts.workflows.aStatusOrSeverityChanged,
  },
  ASSET_FOUND: { title: texts.workflows.aNewAsset, hint: texts.workflows.anAssetWasAddedBy },
  ASSET_UPDATED: { title: texts.workflows.aChangedAsset, hint: texts.workflows.aFieldOrTagOf },
  SCAN_STARTED: { title: texts.workflows.aScanStarts, hint: texts.workflows.aScanBecomesRunning },
  SCAN_COMPLETED: { title: texts.workflows.aScanCompletes, hint: texts.workflows.aScanBecomesFinishedImported },
  SCAN_FAILED: { title: texts.workflows.aScanFails, hint: texts.workflows.aScanBecomesFailed },
  INTEGRATION_FAILED: {
    title: texts.workflows.anIntegrationFails,
    hint: texts.workflows.theCredentialsOfAnIntegration,
  },
  LOCATION_DOWN: { title: texts.workflows.aLocationGoesDown, hint: texts.workflows.aLocationIsDisabled },
  SCHEDULE: {
    title: texts.workflows.aSchedule,
    hint: texts.workflows.atTheTimesOfA,
  },
  MANUAL: { title: texts.workflows.byHand, hint: texts.workflows.onlyWhenSomebodyRunsIt },
};

export interface DraftHeader {
  name: string;
  value: string;
}

export type ActionKind = Workflow['actions'][number]['integrationKind'];

/** What an action can do, in words; the first exports, and the others tell people. */
export const actionKinds: Record<ActionKind, string> = {
  WEBHOOK: texts.workflows.exportToAWebhook,
  SLACK: texts.workflows.messageToSlack,
  TEAMS: texts.workflows.messageToMicrosoftTeams,
  DISCORD: texts.workflows.messageToDiscord,
  EMAIL: texts.workflows.mailToMembers,
  TEMPLATE: texts.workflows.aJsonBodyOfYour,
};

export type Digest = NonNullable<Workflow['actions'][number]['digest']>;

/** When a notification about events is sent, in words. */
export const digests: Record<Digest | '', string> = {
  '': texts.workflows.atOnce,
  hourly: texts.workflows.togetherAtTheFullHour,
  daily: texts.workflows.togetherEveryDayAtEight,
  weekly: texts.workflows.togetherOnMondaysAtEight,
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
  if (text.trim() === '') return texts.workflows.writeTheBodyAJson;
  try {
    JSON.parse(text);
  } catch (error) {
    return texts.workflows.thisIsNoJson((error as Error).message);
  }
  return templateOf(text) === null ? texts.workflows.writeAJsonObject : '';
}

/** A new signing secret (Standard Webhooks): `whsec_` and the base64 of 32 random bytes. */
export function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return `whsec_${btoa(String.fromCharCode(...bytes))}`;
}
