import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { statement } from '../../database/database.js';
import { StockQuotas } from '../../platform/quotas/stock-quotas.js';
import { countUpTo } from '../../platform/quotas/stock-quotas.statements.js';
import { OrderNoteEntity } from './order-note.entity.js';

const held = statement('orders.count-notes', countUpTo('order_notes WHERE order_id = $1::integer'));

/** A note to be written. */
export type NewOrderNote = Omit<OrderNoteEntity, 'user' | 'createdAt'>;

@Injectable()
export class OrderNotesRepository {
  constructor(
    private readonly quotas: StockQuotas,
    @InjectRepository(OrderNoteEntity) private readonly notes: Repository<OrderNoteEntity>,
  ) {}

  /** Writes a note and returns it with its author; `QuotaExceeded` where the order has too many. */
  insert(note: NewOrderNote): Promise<OrderNoteEntity> {
    return this.quotas.within('orderNotes', String(note.orderId), held, async () => {
      await this.notes.insert(note);
      return this.notes.findOneOrFail({ where: { id: note.id }, relations: { user: true } });
    });
  }

  /** A page of the notes of an order, newest first. */
  page(orderId: number, skip: number, limit: number): Promise<OrderNoteEntity[]> {
    const order = { createdAt: 'DESC', id: 'DESC' } as const;
    return this.notes.find({ where: { orderId }, relations: { user: true }, order, skip, take: limit });
  }

  count(orderId: number): Promise<number> {
    return this.notes.countBy({ orderId });
  }
}
