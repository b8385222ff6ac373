import type { AuditAction } from '../../platform/audit/audit-actions.js';
import { type AuditedFields, changesOf } from '../../platform/audit/audit-changes.js';
import type { AuditRecord } from '../../platform/audit/audit-log.js';
import type { Product } from './catalogue.dto.js';

const audited = {
  shown: [
    'name',
    'price',
    'stock',
    'color',
    'material',
    'size',
    'image_url',
    'group_id',
    'slug',
    'sku',
    'status',
    'images',
    'categories',
  ],
  concealed: ['description'],
} satisfies AuditedFields<Product>;

/** The audit entry for a change of a product; null stands for none before or after. */
export function auditOfProduct(action: AuditAction, before: Product | null, after: Product | null): AuditRecord {
  const { id, name } = (after ?? before) as Product;
  return { action, subject: { id, name }, changes: changesOf(before, after, audited) };
}
