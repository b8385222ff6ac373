import { Injectable } from '@nestjs/common';
import { changesOf } from '../../platform/audit/audit-changes.js';
import { AuditLog } from '../../platform/audit/audit-log.js';
import { Conflict, found } from '../../platform/errors/errors.js';
import { Rates } from '../../platform/quotas/rates.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import type { OrderQueues, SentOrderMail, TrackingUpdate } from './order-desk.dto.js';
import { mailFault } from './order-mail-due.js';
import type { OrderMail } from './order-mails.statements.js';
import { withNext } from './orders.mapper.js';
import type { OrderEntity } from './order.entity.js';
import { OrdersRepository, type TrackingColumns } from './orders.repository.js';
import type { Order } from './orders.dto.js';

/** The most orders of a queue that are counted. */
const mostCounted = 10_000;

/** What the shop does about placed orders, beside their status. */
@Injectable()
export class OrderDeskService {
  constructor(
    private readonly repository: OrdersRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditLog,
    private readonly rates: Rates,
  ) {}

  /** How many orders wait in each queue. */
  queues(): Promise<OrderQueues> {
    return this.repository.countQueues(mostCounted);
  }

  /** Writes who delivers an order and where to follow it, and returns the order. `NotFound` if there is none. */
  track(id: number, tracking: TrackingUpdate): Promise<Order> {
    return this.unitOfWork.run(async () => {
      const before = trackingOf(found(await this.repository.lock(id), 'Order'));
      const after = changedBy(tracking, before);
      const changes = changesOf(before, after, { shown: ['carrier', 'tracking_number', 'tracking_url'] });
      if (Object.keys(changes).length > 0) {
        await this.repository.setTracking(id, toColumns(after));
        await this.audit.record({ action: 'order.tracking_changed', subject: { id }, changes });
      }
      const { order, reached } = found(await this.repository.byId(id), 'Order');
      return withNext(order, reached);
    });
  }

  /**
   * Sends a mail about an order to its owner again. `NotFound` if there is no such order, `Conflict` where the mail makes
   * no sense for it or reaches nobody, `RateExceeded` after too many.
   */
  sendMail(id: number, mail: OrderMail): Promise<SentOrderMail> {
    return this.unitOfWork.run(async () => {
      const order = found(await this.repository.lock(id), 'Order');
      const fault = mailFault[mail](order);
      if (fault !== null) throw new Conflict(fault, 'mail_not_due');
      const mailed = await this.repository.forMail(id);
      if (!mailed)
        throw new Conflict('The account of its customer was deleted, and its address with it', 'mail_not_due');
      await this.rates.take('orderMails', String(id));
      if (!(await this.repository.queueMail(id, mail))) {
        throw new Conflict('This service sends no mails: its operator can set SMTP_URL', 'mail_not_due');
      }
      const changes = { mail: { from: null, to: mail } };
      await this.audit.record({ action: 'order.mail_sent', subject: { id }, changes });
      return { mail, to: mailed.email };
    });
  }
}

type Tracking = Required<TrackingUpdate>;

function trackingOf({ carrier, trackingNumber, trackingUrl }: OrderEntity): Tracking {
  return { carrier, tracking_number: trackingNumber, tracking_url: trackingUrl };
}

function toColumns({ carrier, tracking_number, tracking_url }: Tracking): TrackingColumns {
  return { carrier, trackingNumber: tracking_number, trackingUrl: tracking_url };
}

/** The tracking with what is given of it. */
function changedBy({ carrier, tracking_number, tracking_url }: TrackingUpdate, before: Tracking): Tracking {
  return {
    carrier: carrier === undefined ? before.carrier : carrier,
    tracking_number: tracking_number === undefined ? before.tracking_number : tracking_number,
    tracking_url: tracking_url === undefined ? before.tracking_url : tracking_url,
  };
}
