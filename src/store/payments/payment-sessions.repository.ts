import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Not, Repository } from 'typeorm';
import { Database } from '../../database/database.js';
import type { OpenedSession } from './payment-gateway.js';
import { PaymentSessionEntity, type SessionStatus } from './payment-session.entity.js';
import { insertSession, openSession, sessionsOfOrder, takeSessions } from './payments.statements.js';

export type NewSession = Pick<
  PaymentSessionEntity,
  'id' | 'orderId' | 'provider' | 'amount' | 'currency' | 'returnUrl'
>;

type KnownSession = Pick<PaymentSessionEntity, 'id' | 'provider' | 'reference'>;

/** A session about which it is time to ask. */
export interface DueSession extends KnownSession {
  /** Whether its day is over. */
  ended: boolean;
  /** Whether its order still waits for this amount. */
  wanted: boolean;
}

@Injectable()
export class PaymentSessionsRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(PaymentSessionEntity) private readonly sessions: Repository<PaymentSessionEntity>,
  ) {}

  byId(id: string): Promise<PaymentSessionEntity | null> {
    return this.sessions.findOneBy({ id });
  }

  /** The id of the open session of a locked order for this amount; null if there is none. */
  async openId({ orderId, provider, amount, currency }: NewSession): Promise<string | null> {
    const row = await this.database.row<{ id: string }>(openSession, [orderId, provider, amount, currency]);
    return row?.id ?? null;
  }

  async insert({ id, orderId, provider, amount, currency, returnUrl }: NewSession): Promise<void> {
    await this.database.execute(insertSession, [id, orderId, provider, amount, currency, returnUrl]);
  }

  /** Writes what the provider answered. */
  async opened(id: string, { reference, url, expiresAt }: OpenedSession): Promise<void> {
    await this.sessions.update({ id }, { reference, url, expiresAt });
  }

  /** Ends an open session; returns whether it was open. */
  async end(id: string, status: Exclude<SessionStatus, 'open' | 'paid'>): Promise<boolean> {
    return (await this.sessions.update({ id, status: 'open' }, { status })).affected === 1;
  }

  /** Marks a session as paid, whatever it was before: money counts. */
  async paid(id: string): Promise<void> {
    await this.sessions.update({ id, status: Not('paid') }, { status: 'paid' });
  }

  /** Takes some sessions about which it is time to ask. */
  takeDue(): Promise<DueSession[]> {
    return this.database.rows<DueSession & Record<string, unknown>>(takeSessions);
  }

  /** The open sessions of an order that a provider knows. */
  openOf(orderId: number): Promise<KnownSession[]> {
    return this.database.rows<KnownSession & Record<string, unknown>>(sessionsOfOrder, [orderId]);
  }
}
