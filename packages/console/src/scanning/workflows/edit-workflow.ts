import type { Workflow } from '@store-service/sdk';
import { api } from '../../api/service.js';
import { asWords } from '../../parts/words.js';
import { askVersion, changesOf, type EditedField, saveEdit, type Version } from '../../parts/versions.svelte.js';
import { actionKinds, bodyOf, digests, type Draft, draftOf, triggers } from './workflow-draft.js';
import { texts } from '../../texts/texts.js';

/** The parts of a workflow that are each changed as a whole, as JSON, so that they can be compared. */
interface Parts {
  name: string;
  enabled: string;
  trigger: string;
  conditions: string;
  throttleMs: string;
  actions: string;
}

export interface EditedWorkflow extends Parts {
  workflow: Workflow;
}

type Body = ReturnType<typeof bodyOf>;

const partNames = ['name', 'enabled', 'trigger', 'conditions', 'throttleMs', 'actions'] as const;

function partsOf(draft: Draft): Parts {
  const body = bodyOf(draft);
  return Object.fromEntries(partNames.map((name) => [name, JSON.stringify(body[name])])) as unknown as Parts;
}

const editedOf = (workflow: Workflow): EditedWorkflow => ({ ...partsOf(draftOf(workflow)), workflow });

/** Describes a part in words rather than as JSON. */
function shownAs<Name extends keyof Parts>(show: (part: NonNullable<Body[Name]>) => string) {
  return (json: unknown) => show(JSON.parse(String(json)) as NonNullable<Body[Name]>);
}

const fields: readonly EditedField<EditedWorkflow>[] = [
  { key: 'name', label: texts.common.name, text: shownAs<'name'>(String) },
  {
    key: 'enabled',
    label: texts.workflows.enabled,
    text: shownAs<'enabled'>((isEnabled) => (isEnabled ? texts.common.yes : texts.common.no)),
  },
  {
    key: 'trigger',
    label: texts.workflows.trigger,
    text: shownAs<'trigger'>(({ type, cron, timeZone }) =>
      [triggers[type].title, cron, timeZone].filter(Boolean).join('\n'),
    ),
  },
  {
    key: 'conditions',
    label: texts.workflows.conditions,
    text: shownAs<'conditions'>(
      (conditions) =>
        Object.entries(conditions)
          .map(([name, values]) => `${asWords(name)}: ${[values].flat().join(', ')}`)
          .join('\n') || texts.common.none,
    ),
  },
  { key: 'throttleMs', label: texts.workflows.throttle, text: shownAs<'throttleMs'>((ms) => `${ms / 1000} s`) },
  {
    key: 'actions',
    label: texts.workflows.actions,
    // Never the values of headers and secrets.
    text: shownAs<'actions'>((actions) =>
      actions
        .map(({ integrationKind, enabled, digest, parameters }) => {
          const { url, memberIds, headers, secret, resources, perIssue, parts } = parameters;
          return [
            enabled === false ? texts.workflows.disabled(actionKinds[integrationKind]) : actionKinds[integrationKind],
            url ?? texts.workflows.memberCount(memberIds?.length ?? 0),
            ...(headers
              ? [texts.workflows.headers2(headers.map(({ name }) => name).join(', ') || texts.workflows.none)]
              : []),
            ...(secret === undefined
              ? []
              : [texts.workflows.secret2(secret ? texts.workflows.yes : texts.workflows.no)]),
            ...(resources === undefined
              ? []
              : [texts.workflows.resources2(resources?.join(', ') ?? texts.workflows.all)]),
            ...(perIssue ? [texts.workflows.aMessageForEachIssue2] : []),
            ...(parts ? [texts.workflows.inParts] : []),
            ...(digest ? [digests[digest]] : []),
          ].join('\n');
        })
        .join('\n\n'),
    ),
  },
];

export async function readWorkflow(id: string): Promise<Version<EditedWorkflow>> {
  const { value, etag } = await askVersion(api.workflows.get({ path: { id } }));
  return { value: editedOf(value), etag };
}

/** Saves a draft's changes to a workflow over the version that was read. */
export function saveWorkflow(before: Version<EditedWorkflow>, draft: Draft) {
  const { id, name } = before.value.workflow;
  const { workflow: _workflow, ...parts } = before.value;
  const changes = changesOf(partsOf(draft), parts);
  const whole = bodyOf(draft);
  const body = Object.fromEntries(Object.keys(changes).map((part) => [part, whole[part as keyof Parts]]));
  return saveEdit<EditedWorkflow>({
    name,
    fields,
    before,
    changes,
    read: () => readWorkflow(id),
    write: async (etag) => {
      const headers = { 'If-Match': etag };
      const { value, etag: next } = await askVersion(api.workflows.update({ path: { id }, body, headers }));
      return { value: editedOf(value), etag: next };
    },
  });
}
