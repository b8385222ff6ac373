import type { Tag } from './tags.shapes.js';

export function toTag({ id, name, color, createdAt }: Tag): Tag {
  return { id, name, color, createdAt };
}
