import type { Workflow } from '@store-service/sdk';
import { api } from '../../api/service.js';
import { counted } from '../../parts/format.js';
import { asWords } from '../../parts/words.js';
import { askVersion, changesOf, type EditedField, saveEdit, type Version } from '../../parts/versions.svelte.js';
import { actionKinds, bodyOf, digests, type Draft, draftOf, triggers } from './workflow-draft.js';

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
  { key: 'name', label: 'Name', text: shownAs<'name'>(String) },
  { key: 'enabled', label: 'Enabled', text: shownAs<'enabled'>((isEnabled) => (isEnabled ? 'Yes' : 'No')) },
  {
    key: 'trigger',
    label: 'Trigger',
    text: shownAs<'trigger'>(({ type, cron, timeZone }) =>
      [triggers[type].title, cron, timeZone].filter(Boolean).join('\n'),
    ),
  },
  {
    key: 'conditions',
    label: 'Conditions',
    text: shownAs<'conditions'>(
      (conditions) =>
        Object.entries(conditions)
          .map(([name, values]) => `${asWords(name)}: ${[values].flat().join(', ')}`)
          .join('\n') || 'None',
    ),
  },
  { key: 'throttleMs', label: 'Throttle', text: shownAs<'throttleMs'>((ms) => `${ms / 1000} s`) },
  {
    key: 'actions',
    label: 'Actions',
    // Never the values of headers and secrets.
    text: shownAs<'actions'>((actions) =>
      actions
        .map(({ integrationKind, enabled, digest, parameters }) => {
          const { url, memberIds, headers, secret, resources, perIssue, parts } = parameters;
          return [
            `${actionKinds[integrationKind]}${enabled === false ? ' (disabled)' : ''}`,
            url ?? counted(memberIds?.length ?? 0, 'member'),
            ...(headers ? [`Headers: ${headers.map(({ name }) => name).join(', ') || 'none'}`] : []),
            ...(secret === undefined ? [] : [`Secret: ${secret ? 'yes' : 'no'}`]),
            ...(resources === undefined ? [] : [`Resources: ${resources?.join(', ') ?? 'all'}`]),
            ...(perIssue ? ['A message for each issue'] : []),
            ...(parts ? ['In parts'] : []),
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
