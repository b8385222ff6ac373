import { parts } from '../api/pages.js';
import { exitCodes, Failure } from '../failure.js';
import type { Context } from './context.js';
import { ofOrganization } from './of-organization.js';

/** The id of a member by username or id; null for the word "none". */
export async function userIdOf({ api }: Context, given: string): Promise<string | null> {
  if (given === 'none') return null;
  const path = await ofOrganization(api);
  for await (const { entries } of parts((query) => api.members.list({ path, query }), Infinity)) {
    const found = entries.find(({ userId, username }) => userId === given || username === given);
    if (found) return found.userId ?? null;
  }
  throw new Failure(`${given} is no member of the organization: store members list`, exitCodes.notFound);
}
