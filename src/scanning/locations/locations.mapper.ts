import type { Proxy } from './locations.dto.js';

export function toProxy({ id, name, type, target, ip, region, enabled, createdAt }: Proxy): Proxy {
  return { id, name, type, target, ip, region, enabled, createdAt };
}
