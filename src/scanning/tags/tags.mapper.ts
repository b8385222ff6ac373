import type { Tag } from './tags.dto.js';

export function toTag({ id, name, color, createdAt }: Tag): Tag {
  return { id, name, color, createdAt };
}
