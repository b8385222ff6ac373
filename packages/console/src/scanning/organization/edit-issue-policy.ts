import type { DaysToFix, IssuePolicy, IssuePolicyUpdate, IssueSeverity } from '@store-service/sdk';
import { changed } from '../../api/changed.js';
import { queries } from '../../api/queries.js';
import { api } from '../../api/service.js';
import { asCount } from '../../parts/format.js';
import { severities } from '../../parts/severities.js';
import { askVersion, changesOf, type EditedField, saveEdit, type Version } from '../../parts/versions.svelte.js';
import { asWords } from '../../parts/words.js';
import { texts } from '../../texts/texts.js';

export const policyKey = (organizationId: string) => ['issue-policy', organizationId];

export const readPolicy = (): Promise<Version<IssuePolicy>> => askVersion(api.issuePolicy.get());

const asDays = (days: unknown) =>
  severities
    .map((severity) => {
      const count = (days as DaysToFix)[severity] ?? null;
      return `${asWords(severity)}: ${count === null ? '–' : asCount(count)}`;
    })
    .join('; ');
const asPeople = (people: unknown) =>
  (people as IssuePolicy['assignees']).map(({ tagName, username }) => `${tagName}: ${username}`).join('; ') || '–';

const fields: readonly EditedField<IssuePolicy>[] = [
  { key: 'daysToFix', label: texts.organization.daysToFix, text: asDays },
  { key: 'assignees', label: texts.organization.whoIsAssigned, text: asPeople },
  { key: 'reasonRequired', label: texts.organization.reasonRequired },
];

export type PolicyDays = Record<IssueSeverity, number | null>;

const bodyOf = ({ assignees, ...policy }: IssuePolicy): IssuePolicyUpdate => ({
  ...policy,
  assignees: assignees.map(({ tagId, userId }) => ({ tagId, userId })),
});

/** Saves what was changed of the policy over the version that was read. Returns the version that stands then; nothing if the user goes on. */
export async function savePolicy(organizationId: string, before: Version<IssuePolicy>, policy: IssuePolicy) {
  const changes = changesOf(policy, before.value);
  let known = before;
  const result = await saveEdit<IssuePolicy>({
    name: texts.organization.theIssuePolicy,
    fields,
    before,
    changes,
    read: async () => (known = await readPolicy()),
    write: (etag) => {
      const body = bodyOf({ ...known.value, ...changes });
      return askVersion(api.issuePolicy.replace({ body, headers: { 'If-Match': etag } }));
    },
  });
  if (result) queries.setQueryData(policyKey(organizationId), result.version);
  await changed('organization');
  return result;
}
