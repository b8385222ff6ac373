import type { Integration } from '@store-service/sdk';
import { api } from '../../api/service.js';
import { askVersion, type EditedField, saveEdit, type Version } from '../../parts/versions.svelte.js';
import { asWords } from '../../parts/words.js';
import { texts } from '../../texts/texts.js';

/** The fields that a form changes in an integration; its parameters as the JSON in which they are sent. */
export interface EditedIntegration {
  name: string;
  kind: Integration['kind'];
  valid: boolean;
  parameters: string;
}

const fields: readonly EditedField<EditedIntegration>[] = [
  { key: 'name', label: texts.common.name },
  { key: 'kind', label: texts.common.kind, text: (kind) => asWords(String(kind)) },
  { key: 'valid', label: texts.integrations.valid },
  { key: 'parameters', label: texts.integrations.parameters },
];

const edited = ({ name, kind, valid, parameters }: Integration): EditedIntegration => ({
  name,
  kind,
  valid,
  parameters: JSON.stringify(parameters),
});

export const readIntegration = (id: string): Promise<Version<Integration>> =>
  askVersion(api.integrations.get({ path: { id } }));

const versionOf = async (read: Promise<Version<Integration>>): Promise<Version<EditedIntegration>> => {
  const { value, etag } = await read;
  return { value: edited(value), etag };
};

/** Saves a form's changes to an integration over the version that filled the form. */
export function saveIntegration({ value, etag }: Version<Integration>, body: EditedIntegration) {
  const { id } = value;
  const before = edited(value);
  const keys = fields.map(({ key }) => key).filter((key) => body[key] !== before[key]);
  const changes: Partial<EditedIntegration> = Object.fromEntries(keys.map((key) => [key, body[key]]));
  const { parameters, ...rest } = changes;
  const sent = {
    ...rest,
    ...(parameters !== undefined && { parameters: JSON.parse(parameters) as Record<string, unknown> }),
  };
  return saveEdit({
    name: value.name,
    fields,
    before: { value: before, etag },
    changes,
    read: () => versionOf(readIntegration(id)),
    write: (tag) =>
      versionOf(askVersion(api.integrations.update({ path: { id }, body: sent, headers: { 'If-Match': tag } }))),
  });
}
