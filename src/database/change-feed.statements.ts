export const channel = 'store_changes';

/** Again it changes nothing, and is answered. */
export const listen = `LISTEN ${channel}`;

/** Sends the message $2 to all who listen to the channel $1. */
export const notify = 'SELECT pg_notify($1, $2)';
