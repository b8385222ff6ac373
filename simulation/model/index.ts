import { type EndState, type HistoryEntry, type Violation } from '../history.js';
import { judgeAnswers } from './answers.js';
import { judgeAudit } from './audit.js';
import { judgeCarts } from './carts.js';
import { judgeCoupons } from './coupons.js';
import { judgeDeliveries, readWebhooks } from './deliveries.js';
import { gatherFacts, type Facts, type Tell } from './facts.js';
import { judgeIssues } from './issues.js';
import { judgeMails } from './mails.js';
import { judgeMoney } from './money.js';
import { judgeOrders } from './orders.js';
import { judgePayments } from './payments.js';
import { judgeQuotas } from './quotas.js';
import { judgeRetention } from './retention.js';
import { judgeScanEvents } from './scan-events.js';
import { judgeSessionLists, judgeSessions } from './sessions.js';
import { judgeStock } from './stock.js';
import { judgeStoreEvents, readStoreEvents } from './store-events.js';
import { judgeTriage } from './triage.js';

/** A family of rules: looks at what happened and tells what should not have. */
type Family = (facts: Facts, tell: Tell) => void | Promise<void>;

const families: readonly Family[] = [
  judgeAnswers,
  judgeMoney,
  judgeStock,
  judgeCarts,
  judgeCoupons,
  judgePayments,
  judgeOrders,
  judgeSessions,
  judgeSessionLists,
  judgeScanEvents,
  judgeMails,
  judgeIssues,
  judgeTriage,
  judgeAudit,
  judgeQuotas,
  judgeRetention,
  async (facts, tell) => {
    const events = await readStoreEvents(facts);
    if (events) judgeStoreEvents(facts, events, tell);
    judgeDeliveries(facts, events, await readWebhooks(facts), tell);
  },
];

/** Judges every answer of a history and the state at its end by what the documents promise. In the order of the history. */
export async function judge(history: readonly HistoryEntry[], end: EndState): Promise<Violation[]> {
  const violations: Violation[] = [];
  const tell: Tell = (rule, entry, message) => {
    violations.push(entry === undefined ? { rule, message } : { rule, entry, message });
  };
  const facts = await gatherFacts(history, end);
  for (const family of families) await family(facts, tell);
  return violations.sort((a, b) => (a.entry ?? Infinity) - (b.entry ?? Infinity));
}
