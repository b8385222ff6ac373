import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { isUuid } from '../../platform/validation/check-value.js';
import { serviceLogger } from '../../platform/http/request-log.js';
import { GatewayRefused, type SessionOutcome } from './payment-gateway.js';
import { PaymentGateways } from './payment-gateways.js';
import { PaymentRecordsService } from './payment-records.service.js';
import type { PaymentSessionEntity } from './payment-session.entity.js';
import { type DueSession, PaymentSessionsRepository } from './payment-sessions.repository.js';
import type { ToldSession } from './stripe-gateway.js';

type AskedSession = Pick<DueSession, 'id' | 'provider' | 'reference'>;

/** Learns what became of sessions: from webhooks, from browsers that come back, and by asking the provider. */
@Injectable()
export class SessionOutcomesService {
  private readonly asking = new Map<string, Promise<void>>();

  constructor(
    private readonly sessions: PaymentSessionsRepository,
    private readonly records: PaymentRecordsService,
    private readonly gateways: PaymentGateways,
    @Inject(serviceLogger) private readonly logger: Logger,
  ) {}

  /** Records what a webhook told; another shop's sessions of the same account are none of ours. */
  async told({ sessionId, reference, outcome }: ToldSession): Promise<void> {
    if (!isUuid(sessionId)) return;
    const session = await this.sessions.byId(sessionId);
    if (session?.provider !== 'stripe' || (session.reference !== null && session.reference !== reference)) return;
    await this.records.settle(sessionId, outcome);
  }

  /** A session after the provider was asked about it, where it is open; null if there is none. */
  async seen(id: string): Promise<PaymentSessionEntity | null> {
    const session = await this.sessions.byId(id);
    if (session?.status !== 'open' || session.reference === null) return session;
    await this.askedOnce(session).catch((error: Error) => this.unanswered(id, error));
    return this.sessions.byId(id);
  }

  /** Asks about the sessions that stayed open, and ends those whose orders no longer wait for them. */
  async askAboutOpen(signal?: AbortSignal): Promise<void> {
    for (;;) {
      signal?.throwIfAborted();
      const due = await this.sessions.takeDue();
      if (due.length === 0) return;
      await Promise.all(
        due.map((session) => this.ask(session).catch((error: Error) => this.unanswered(session.id, error))),
      );
    }
  }

  /**
   * Ends the open sessions of an order, so that nobody pays it any more. Returns false where money is on its way for it.
   * Throws where the provider does not answer.
   */
  async closeOf(orderId: number): Promise<boolean> {
    const outcomes: SessionOutcome[] = [];
    for (const session of await this.sessions.openOf(orderId)) outcomes.push(await this.close(session));
    return outcomes.every(({ state }) => state !== 'pending' && state !== 'paid');
  }

  private async ask(session: DueSession): Promise<void> {
    const { id, provider, reference, ended, wanted } = session;
    const gateway = this.gateways.of(provider);
    // A session without a reference has no page that anybody knows.
    if (!gateway || reference === null) return ended ? this.records.settle(id, { state: 'expired' }) : undefined;
    if (!wanted) return void (await this.close(session));
    await this.askedOnce(session);
    if (ended) await this.close(session);
  }

  /** However many ask about a session at once, the provider is asked once. */
  private askedOnce(session: AskedSession): Promise<void> {
    const { id } = session;
    const running = this.asking.get(id);
    if (running) return running;
    const asked = this.found(session).finally(() => this.asking.delete(id));
    this.asking.set(id, asked);
    return asked;
  }

  private async found({ id, provider, reference }: AskedSession): Promise<void> {
    const gateway = this.gateways.of(provider);
    if (gateway && reference !== null) await this.records.settle(id, await gateway.find(reference));
  }

  private async close({ id, provider, reference }: AskedSession): Promise<SessionOutcome> {
    const gateway = this.gateways.of(provider);
    const outcome: SessionOutcome =
      gateway && reference !== null ? await gateway.close(reference) : { state: 'expired' };
    await this.records.settle(id, outcome);
    return outcome;
  }

  private unanswered(session: string, error: Error): void {
    const sentence = error instanceof GatewayRefused ? 'payment session refused' : 'payment provider does not answer';
    this.logger.warn({ session, reason: error.message }, sentence);
  }
}
