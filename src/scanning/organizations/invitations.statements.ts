import { statement } from '../../database/database.js';
import { mailAddress } from '../../store/account-mail/mail-address.statements.js';
import { countUpTo } from '../../platform/quotas/stock-quotas.statements.js';
import { adminRight } from './admin-right.statements.js';

const pending = 'i.expires_at > now()';

/** The columns of `i`, with the invited account `u`. */
const columns = `
  i.id AS "invitationId", i.user_id AS "userId", u.username, i.email, i.role, 'INVITED' AS status,
  i.created_at AS "createdAt", i.expires_at AS "expiresAt"`;

/**
 * Invites an account named by id ($3) or username ($4), or an address ($5), for $7 days. An existing invitation stays, with the
 * role of this one; an expired one is replaced. No account is looked up by its address, so that the answer cannot tell
 * whether there is one. The locks prevent the deletion of the account, and changes of the former role, until the unit of work
 * ends.
 */
export const invite = `
  WITH ${adminRight('$2', '$8', '$9')}, u AS (
    SELECT u.id, u.username, ${mailAddress} AS email FROM users u
     WHERE u.deleted_at IS NULL AND (u.id = $3 OR lower(u.username) = lower($4)) FOR SHARE
  ), invited AS (
    SELECT u.id AS user_id, NULL AS email FROM u UNION ALL SELECT NULL, $5::text WHERE $5::text IS NOT NULL
  ), member AS (
    SELECT FROM organization_members WHERE organization_id = $2 AND user_id = (SELECT id FROM u)
  ), former AS (
    SELECT i.role FROM organization_invitations i, invited
     WHERE i.organization_id = $2 AND coalesce(i.user_id::text, lower(i.email)) = coalesce(invited.user_id::text, lower(invited.email))
       AND ${pending} FOR UPDATE OF i
  ), i AS (
    INSERT INTO organization_invitations AS i (id, organization_id, user_id, email, role, invited_by, expires_at)
    SELECT $1::uuid, $2::uuid, invited.user_id, invited.email, $6::text, allowed.maker, now() + $7::integer * interval '1 day'
      FROM (allowed CROSS JOIN invited) LEFT JOIN former ON true WHERE NOT EXISTS (SELECT FROM member)
    ON CONFLICT (organization_id, (coalesce(user_id::text, lower(email)))) DO UPDATE
       SET role = excluded.role,
           id = CASE WHEN ${pending} THEN i.id ELSE excluded.id END,
           invited_by = CASE WHEN ${pending} THEN i.invited_by ELSE excluded.invited_by END,
           created_at = CASE WHEN ${pending} THEN i.created_at ELSE excluded.created_at END,
           expires_at = CASE WHEN ${pending} THEN i.expires_at ELSE excluded.expires_at END
    RETURNING *)
  SELECT EXISTS (SELECT FROM allowed) AS "mayInvite", EXISTS (SELECT FROM invited) AS "isKnown",
         EXISTS (SELECT FROM member) AS "isMember", i.id = $1 AS created, coalesce(i.email, u.email) AS address,
         (SELECT role FROM former) AS "formerRole",
         ${columns}
    FROM (SELECT) AS one LEFT JOIN i ON true LEFT JOIN u ON u.id = i.user_id`;

export const page = statement(
  'organizations.invitations-page',
  `SELECT i.id, ${columns}
     FROM organization_invitations i LEFT JOIN users u ON u.id = i.user_id
    WHERE i.organization_id = $1 AND ${pending} AND (i.created_at, i.id) < ($2, $3)
    ORDER BY i.created_at DESC, i.id DESC LIMIT $4`,
);

export const forMail = `
  SELECT coalesce(i.email, ${mailAddress}) AS address, u.id AS account, u.username AS name, i.role, i.expires_at AS "expiresAt",
         o.name AS "organizationName", inviter.username AS "inviterName"
    FROM organization_invitations i
    JOIN organizations o ON o.id = i.organization_id
    LEFT JOIN users u ON u.id = i.user_id
    LEFT JOIN users inviter ON inviter.id = i.invited_by
   WHERE i.id = $1 AND ${pending}`;

/** The address of the account $1 once it is confirmed. */
const confirmedAddress = '(SELECT lower(email) FROM users WHERE id = $1 AND email_verified AND deleted_at IS NULL)';

/** The invitations of the account $1, and of its e-mail address once that is confirmed: before, it may be somebody else's. */
const theirs = `
  (i.user_id = $1
   OR lower(i.email) = ${confirmedAddress})
  AND ${pending}`;

export const pageOfInvited = statement(
  'organizations.invitations-of-invited',
  `SELECT i.id, i.id AS "invitationId", o.id AS "organizationId", o.name AS "organizationName", i.role,
          'INVITED' AS status, inviter.username AS "invitedBy", i.created_at AS "createdAt", i.expires_at AS "expiresAt"
     FROM organization_invitations i
     JOIN organizations o ON o.id = i.organization_id
     LEFT JOIN users inviter ON inviter.id = i.invited_by
    WHERE ${theirs} AND (i.created_at, i.id) < ($2, $3)
    ORDER BY i.created_at DESC, i.id DESC LIMIT $4`,
);

/** Locks the account, then the organization that invited it, until the unit of work ends: in the order of their deletion. */
export const lock = `
  WITH account AS MATERIALIZED (SELECT FROM users WHERE id = $1 AND deleted_at IS NULL FOR SHARE)
  SELECT FROM account, organizations o
   WHERE o.id = (SELECT organization_id FROM organization_invitations i WHERE i.id = $2 AND ${theirs})
     FOR KEY SHARE OF o`;

/** Turns invitation $2 into a membership, and removes all other invitations to it. A member keeps the present role. */
export const accept = `
  WITH i AS (DELETE FROM organization_invitations i WHERE i.id = $2 AND ${theirs} RETURNING *),
  others AS (
    DELETE FROM organization_invitations i
     WHERE organization_id = (SELECT organization_id FROM i) AND i.id <> $2 AND ${theirs}
  ), m AS (
    INSERT INTO organization_members AS m (organization_id, user_id, role) SELECT organization_id, $1::uuid, role FROM i
    ON CONFLICT ON CONSTRAINT organization_members_pkey DO UPDATE SET role = m.role
    RETURNING *)
  SELECT m.user_id AS "userId", u.username, m.role, m.created_at AS "createdAt", m.organization_id AS "organizationId"
    FROM m JOIN users u ON u.id = m.user_id`;

export const decline = `
  DELETE FROM organization_invitations i WHERE i.id = $2 AND ${theirs} RETURNING organization_id AS "organizationId"`;

/** The invitations to an account by its id or username, and those from it. */
export const removeOfAccount = 'DELETE FROM organization_invitations WHERE user_id = $1 OR invited_by = $1';

/** The members, and the people who may become members. */
export const countWithInvited = statement(
  'organizations.members.count',
  countUpTo(`(SELECT 1 FROM organization_members WHERE organization_id = $1 UNION ALL
              SELECT 1 FROM organization_invitations i WHERE organization_id = $1 AND ${pending}) AS belonging`),
);
