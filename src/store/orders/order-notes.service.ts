import { Injectable } from '@nestjs/common';
import { actorOf } from '../../platform/audit/audit-actor.js';
import { AuditLog } from '../../platform/audit/audit-log.js';
import { uuidV7 } from '../../platform/crypto/uuid-v7.js';
import { found } from '../../platform/errors/errors.js';
import { currentRequest } from '../../platform/http/current-request.js';
import type { AdminPaging } from '../../platform/http/paging.js';
import { ListTotals } from '../../platform/http/total-count.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import type { OrderActor } from './order-actor.dto.js';
import type { OrderNote, OrderNoteCreate } from './order-desk.dto.js';
import type { OrderNoteEntity } from './order-note.entity.js';
import { OrderNotesRepository } from './order-notes.repository.js';
import { OrdersRepository } from './orders.repository.js';

/** What the shop notes about its orders. */
@Injectable()
export class OrderNotesService {
  constructor(
    private readonly orders: OrdersRepository,
    private readonly repository: OrderNotesRepository,
    private readonly totals: ListTotals,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditLog,
  ) {}

  /** A page of the notes about an order, newest first; `NotFound` if there is no such order. */
  async list(orderId: number, { skip, limit }: AdminPaging): Promise<OrderNote[]> {
    const notes = limit === 0 ? [] : await this.repository.page(orderId, skip, limit);
    if (notes.length === 0) found(await this.orders.placing(orderId), 'Order');
    const count = () => this.repository.count(orderId);
    return this.totals.page(notes.map(toNote), { skip, limit }, { key: 'order notes', count });
  }

  /** Adds a note by the caller; `NotFound` if there is no such order, `QuotaExceeded` where it has too many. */
  async add(orderId: number, { text }: OrderNoteCreate): Promise<OrderNote> {
    const { kind, id, name } = actorOf(currentRequest());
    return this.unitOfWork.run(async () => {
      found(await this.orders.lock(orderId), 'Order');
      const userId = kind === 'user' ? id : null;
      const note = await this.repository.insert({ id: uuidV7(), orderId, userId, keyName: name, text });
      await this.audit.record({ action: 'order.note_added', subject: { id: orderId } });
      return toNote(note);
    });
  }
}

function toNote({ id, text, createdAt: created_at, ...written }: OrderNoteEntity): OrderNote {
  return { id, text, author: authorOf(written), created_at };
}

function authorOf({ user, userId, keyName }: Pick<OrderNoteEntity, 'user' | 'userId' | 'keyName'>): OrderActor {
  if (keyName !== null) return { kind: 'api_key', id: null, name: keyName };
  return { kind: 'user', id: userId, name: user?.username ?? null };
}
