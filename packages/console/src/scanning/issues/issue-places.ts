import type { IssueSummary } from '@store-service/sdk';
import { RowPlaces } from '../../parts/row-places.js';
import { place } from '../../router.svelte.js';
import type { IssueChange } from './issue-values.js';

/** The places of the issues in the list: one triages it from the top down, whatever severity they get. */
export const issuePlaces = new RowPlaces<IssueSummary>(({ id }) => id);

/** Keeps issues in the list that were changed, but for those that its filter may not match any more. */
export function keepPlaces(ids: readonly string[], { severity }: IssueChange): void {
  if (!severity || place.list('severities').length > 0) return;
  issuePlaces.hold(ids, (issue) => ({ ...issue, severity, severitySetBy: 'USER' }));
}
