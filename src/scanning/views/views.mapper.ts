import type { View } from './views.dto.js';

export function toView({ id, name, shared, ownerId, filter, sort, createdAt, updatedAt }: View): View {
  return { id, name, shared, ownerId, filter, sort, createdAt, updatedAt };
}
