import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import type { NewStoreEvent } from '../events/store-events.repository.js';
import { StoreEventsService } from '../events/store-events.service.js';
import type { Product } from './catalogue.dto.js';

/** A product before and after a change; null where there was or is none. */
export interface ProductChange {
  before: Product | null;
  after: Product | null;
}

/** Tells those who listen what changed of products. */
@Injectable()
export class ProductEvents {
  constructor(
    private readonly events: StoreEventsService,
    private readonly settings: Settings,
  ) {}

  /** Writes the events of changes, in their unit of work. */
  record(changes: readonly ProductChange[]): Promise<void> {
    return this.events.record(...changes.flatMap((change) => eventsOf(change, this.settings.lowStock)));
  }
}

function eventsOf({ before, after }: ProductChange, threshold: number): NewStoreEvent[] {
  const product = after ?? before;
  if (!product || JSON.stringify(before) === JSON.stringify(after)) return [];
  const type = before === null ? 'product.created' : after === null ? 'product.deleted' : 'product.changed';
  const changed: NewStoreEvent = { type, data: { product } };
  if (before === null || after === null || after.stock >= before.stock) return [changed];
  const { id, name, stock } = after;
  const scarce: NewStoreEvent = {
    type: stock === 0 ? 'stock.out' : 'stock.low',
    data: { product: { id, name, stock }, threshold },
  };
  const isScarce = stock === 0 || (stock <= threshold && before.stock > threshold);
  return isScarce ? [changed, scarce] : [changed];
}
