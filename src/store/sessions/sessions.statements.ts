import { statement } from '../../database/database.js';
import { addMailSql } from '../../platform/mail/mail.statements.js';
import { mailAddress, mailAddressConfirmed } from '../account-mail/mail-address.statements.js';

/** The mails about a session; the job that sends one words it. */
export const sessionMails = { newDevice: 'new-device', reused: 'session-ended' } as const;

/** The most sessions of an account; a further one replaces the least recently used. */
const sessionsPerUser = 50;
const devicesPerUser = 50;
/** The devices that a statement of the sweep looks at. */
const devicesPerWalk = 2_000;

/**
 * The seconds that a refresh token stays valid after its rotation. Within them the session does not rotate again, so
 * that whoever held the token at that moment gets the current one.
 */
const grace = `interval '10 seconds'`;

/** The session `s` of the account `u` is in force. A version newer than the account's was read before a change. */
const inForce = `
  u.id = s.user_id AND u.deleted_at IS NULL AND s.token_version >= u.token_version
  AND s.ended_at IS NULL AND s.expires_at > now()`;

/** The columns of a session in force. */
const inForceColumns = `
  s.user_id, s.token_version, extract(epoch FROM s.expires_at - now())::double precision AS seconds,
  extract(epoch FROM s.authenticated_at)::double precision AS authenticated_at, s.multi_factor`;

/**
 * Begins the session $1 of account $2, unless its tokens have another version than $3. `FOR KEY SHARE`, which the
 * foreign key takes anyway, waits for a deletion in progress. Deletes sessions and devices beyond the bound. $10 says
 * whether the owner gets a mail about a device $9 that is not the account's first; $11 when they proved who they are, in seconds since 1970, now if null; $12 whether a provider vouches for two factors.
 */
export const begin = statement(
  'sessions.begin',
  `WITH account AS (
     SELECT id FROM users WHERE id = $2 AND token_version = $3 AND deleted_at IS NULL AND suspended_at IS NULL FOR KEY SHARE),
   surplus AS (
     DELETE FROM sessions WHERE id IN (
       SELECT id FROM sessions WHERE id IN (
         SELECT id FROM sessions WHERE user_id = $2 AND ended_at IS NULL
          ORDER BY last_used_at DESC OFFSET ${sessionsPerUser - 1})
        FOR UPDATE SKIP LOCKED)),
   forgotten AS (
     DELETE FROM known_devices WHERE (user_id, digest) IN (
       SELECT user_id, digest FROM known_devices WHERE (user_id, digest) IN (
         SELECT user_id, digest FROM known_devices WHERE user_id = $2 AND digest <> $9
          ORDER BY seen_at DESC OFFSET ${devicesPerUser - 1})
        FOR UPDATE SKIP LOCKED)),
   seen AS (
     INSERT INTO known_devices (user_id, digest) SELECT id, $9 FROM account
     ON CONFLICT (user_id, digest) DO UPDATE SET seen_at = now()
     RETURNING xmax = 0 AS is_new),
   begun AS (
   INSERT INTO sessions AS s (id, user_id, token_version, token_hash, device, address, expires_at, latest_end, authenticated_at, multi_factor)
   SELECT $1, id, $3, $4, $5, $6, now() + least($7::integer, $8::integer) * interval '1 second',
          now() + $8::integer * interval '1 second', least(to_timestamp($11::double precision), now()), $12::boolean
     FROM account
   RETURNING s.id, ${inForceColumns})
   SELECT user_id, token_version, seconds, authenticated_at, multi_factor,
          CASE WHEN is_new AND $10::boolean AND EXISTS (SELECT FROM known_devices WHERE user_id = $2)
               THEN ${addMailSql(sessionMails.newDevice, 'begun.id')} END AS mail
     FROM begun, seen`,
);

/** Replaces the current token $2 of session $1 by $3, unless that happened a moment ago. */
export const rotate = statement(
  'sessions.rotate',
  `UPDATE sessions s
      SET token_hash = $3, previous_hash = $2, successor = $4, rotated_at = now(), last_used_at = now(), address = $5,
          expires_at = least(now() + $6::integer * interval '1 second', s.latest_end)
     FROM users u
    WHERE s.id = $1 AND s.token_hash = $2 AND ${inForce}
      AND (s.rotated_at IS NULL OR s.rotated_at <= now() - ${grace})
   RETURNING ${inForceColumns}`,
);

/** The relation of a token $2 that was not rotated to the session $1, where that is in force. */
export const tokenState = statement(
  'sessions.token-state',
  `SELECT ${inForceColumns}, s.token_hash = $2 AS current,
          CASE WHEN s.previous_hash = $2 AND s.rotated_at > now() - ${grace} THEN s.successor END AS successor
     FROM sessions s, users u
    WHERE s.id = $1 AND ${inForce}`,
);

/** Notes that the user of session $1 of account $2 has just proved who they are. */
export const reauthenticate = statement(
  'sessions.reauthenticate',
  `UPDATE sessions s SET authenticated_at = now()
     FROM users u
    WHERE s.id = $1 AND s.user_id = $2 AND ${inForce}
   RETURNING ${inForceColumns}`,
);

/**
 * Ends the session $1, of the account $2 where that is given; its row stays until its access tokens, of $3 s, have
 * expired. $4 says whether the owner gets a mail that somebody used a token of it twice.
 */
export const end = statement(
  'sessions.end',
  `WITH ended AS (
   UPDATE sessions s
      SET ended_at = now(), expires_at = now() + $3::integer * interval '1 second', successor = NULL
     FROM users u
    WHERE s.id = $1 AND s.user_id = coalesce($2, s.user_id) AND ${inForce}
   RETURNING s.id, s.user_id)
   SELECT user_id, CASE WHEN $4::boolean THEN ${addMailSql(sessionMails.reused, 'ended.id')} END AS mail FROM ended`,
);

/** The recipient of mails about the session $1, in force or not. */
export const ownerOf = statement(
  'sessions.owner-of',
  `SELECT u.id, u.username, ${mailAddress} AS email, ${mailAddressConfirmed} AS email_verified, s.device, s.address, s.created_at, s.last_used_at
     FROM sessions s JOIN users u ON u.id = s.user_id
    WHERE s.id = $1 AND u.deleted_at IS NULL`,
);

/**
 * Carries the session $2 of account $1 over to the tokens' version $3; removes its other sessions, which that version
 * ended.
 */
export const keepOnly = statement(
  'sessions.keep-only',
  `WITH others AS (DELETE FROM sessions WHERE user_id = $1 AND id IS DISTINCT FROM $2::uuid)
   UPDATE sessions SET token_version = $3::integer WHERE id = $2::uuid AND user_id = $1 AND token_version = $3 - 1`,
);

/**
 * Forgets those of the devices next after ($1, $2) that were last seen more than $3 days ago. The one that an
 * account last used stays, however old: with none, a stranger's login would count as the first, and nobody got a mail.
 */
export const forgetDevices = statement(
  'sessions.forget-devices',
  `WITH part AS MATERIALIZED (
     SELECT user_id, digest FROM known_devices WHERE (user_id, digest) > ($1::uuid, $2::text)
      ORDER BY user_id, digest LIMIT ${devicesPerWalk}),
   old AS MATERIALIZED (
     SELECT d.user_id, d.digest FROM part JOIN known_devices d USING (user_id, digest)
      WHERE d.seen_at < now() - $3::integer * interval '1 day'
        AND EXISTS (SELECT FROM known_devices newer WHERE newer.user_id = d.user_id AND newer.seen_at > d.seen_at)
        FOR UPDATE OF d SKIP LOCKED),
   forgotten AS (
     DELETE FROM known_devices WHERE (user_id, digest) IN (SELECT user_id, digest FROM old))
   SELECT user_id AS "userId", digest FROM part ORDER BY user_id DESC, digest DESC LIMIT 1`,
);

export const list = statement(
  'sessions.list',
  `SELECT s.id, s.device, s.address, s.created_at, s.last_used_at, s.expires_at
     FROM sessions s, users u
    WHERE s.user_id = $1 AND ${inForce}
    ORDER BY s.last_used_at DESC, s.id DESC
    LIMIT ${sessionsPerUser}`,
);
