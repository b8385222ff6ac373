export const channel = 'store_changes';

/** Repeating LISTEN changes nothing, but the server responds. */
export const listen = `LISTEN ${channel}`;

/** Sends the message $2 to all listeners of the channel $1. */
export const notify = 'SELECT pg_notify($1, $2)';
