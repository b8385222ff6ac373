import { keyInForce } from '../../platform/auth/key-state.statements.js';

/**
 * Two common table expressions, each with at most one row: the user whose right as an admin of the organization the caller
 * has, by a membership or by an API key. The locks hold that right, so that whoever ends it concurrently finds everything
 * that it wrote.
 */
export function adminRight(organization: string, user: string, apiKey: string): string {
  return `
  by_admin AS (
    SELECT user_id AS maker FROM organization_members
     WHERE organization_id = ${organization} AND user_id = ${user} AND role = 'admin' FOR SHARE
  ), by_key AS (
    SELECT created_by AS maker FROM api_keys
     WHERE organization_id = ${organization} AND id = ${apiKey} AND role = 'admin' AND ${keyInForce} FOR SHARE
  ), allowed AS (SELECT maker FROM by_admin UNION ALL SELECT maker FROM by_key)`;
}
