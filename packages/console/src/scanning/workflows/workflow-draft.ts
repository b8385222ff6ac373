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

/** An action in the form in which it is edited. */
export interface DraftAction {
  id?: string;
  enabled: boolean;
  disabledReason: string | null;
  url: string;
  headers: DraftHeader[];
  secret: string;
  /** Null for all of them. */
  resources: Root[] | null;
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

export const emptyAction = (): DraftAction => ({
  enabled: true,
  disabledReason: null,
  url: '',
  headers: [],
  secret: '',
  resources: null,
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
    actions: actions.map(({ id, enabled: isOn, disabledReason, parameters }) => ({
      id,
      enabled: isOn,
      disabledReason,
      url: parameters.url,
      headers: parameters.headers.map((header) => ({ ...header })),
      secret: parameters.secret ?? '',
      resources: parameters.resources,
    })),
  };
}

function conditionsOf(conditions: WorkflowConditions): WorkflowConditions {
  const kept = Object.entries(conditions).filter(([, value]) =>
    Array.isArray(value) ? value.length > 0 : Boolean(value),
  );
  return Object.fromEntries(kept);
}

/** The draft in the form that the service accepts. */
export function bodyOf(draft: Draft): WorkflowCreate {
  return {
    name: draft.name.trim(),
    enabled: draft.enabled,
    trigger: {
      type: draft.trigger,
      ...(draft.trigger === 'SCHEDULE' && { cron: draft.cron.trim(), timeZone: draft.timeZone }),
    },
    conditions: conditionsOf(draft.conditions),
    throttleMs: Math.round((numberOf(draft.throttleSeconds) || 0) * 1000),
    actions: draft.actions.map(({ id, enabled, url, headers, secret, resources }) => ({
      ...(id !== undefined && { id }),
      type: 'EXPORT',
      integrationKind: 'WEBHOOK',
      enabled,
      parameters: {
        url: url.trim(),
        headers: headers.filter(({ name }) => name.trim()).map(({ name, value }) => ({ name: name.trim(), value })),
        secret: secret.trim() || null,
        resources,
      },
    })),
  };
}

/** A new signing secret (Standard Webhooks): `whsec_` and the base64 of 32 random bytes. */
export function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return `whsec_${btoa(String.fromCharCode(...bytes))}`;
}
