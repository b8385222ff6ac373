/** The settings that a session gets from its role. */
export const limitsOfRole = `
  SELECT quote_ident(current_user) AS role, current_setting('statement_timeout') AS statement_timeout,
         current_setting('idle_in_transaction_session_timeout') AS idle_in_transaction_session_timeout,
         current_setting('enable_seqscan') AS enable_seqscan`;
