import type { Application } from './profiles.dto.js';

export function toApplication({ id, name, scannerKind, type, createdAt, updatedAt }: Application): Application {
  return { id, name, scannerKind, type, createdAt, updatedAt };
}
