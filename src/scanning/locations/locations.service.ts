import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../platform/audit/audit-log.js';
import { uuidV7 } from '../../platform/crypto/uuid-v7.js';
import { Invalid } from '../../platform/errors/invalid.js';
import { found, NotFound } from '../../platform/errors/errors.js';
import { type Page, pageOf } from '../../platform/http/cursor.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import type { SearchPaging } from '../search-paging.js';
import { TriggersService } from '../triggers/triggers.service.js';
import { toProxy } from './locations.mapper.js';
import { LocationsRepository } from './locations.repository.js';
import type { Proxy, ProxyCreate, ProxyUpdate } from './locations.dto.js';

function assertIp(ip: string | null | undefined): void {
  if (typeof ip !== 'string' || isIP(ip) !== 0) return;
  throw Invalid.at(['body', 'ip'], 'ip_any_address', 'Input should be a valid IPv4 or IPv6 address', ip);
}

/** The locations that scans run from. */
@Injectable()
export class LocationsService {
  constructor(
    private readonly repository: LocationsRepository,
    private readonly triggers: TriggersService,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditLog,
  ) {}

  /** A page of the locations, newest first; `search` is found in the name. `Invalid` for a broken cursor. */
  async list(organizationId: string, paging: SearchPaging): Promise<Page<Proxy>> {
    return pageOf(await this.repository.page(organizationId, paging), paging.size, toProxy);
  }

  /** Makes a location; `Invalid` where `ip` is not an IP address. */
  async create(organizationId: string, location: ProxyCreate): Promise<Proxy> {
    const { name, type, target, ip = null, region = null, enabled } = location;
    assertIp(ip);
    const row = { id: uuidV7(), organizationId, name, type, target, ip, region, enabled };
    return toProxy(await this.repository.insert(row));
  }

  /** One location; `NotFound` if there is none. */
  async get(organizationId: string, id: string): Promise<Proxy> {
    return toProxy(found(await this.repository.byId(organizationId, id), 'Location'));
  }

  /**
   * Changes the given fields of a location; disabling it fires LOCATION_DOWN. `NotFound` if there is none, `Invalid`
   * where `ip` is not an IP address.
   */
  async update(organizationId: string, id: string, changes: ProxyUpdate): Promise<Proxy> {
    assertIp(changes.ip);
    return this.unitOfWork.run(async () => {
      const updated = found(await this.repository.update(organizationId, id, changes), 'Location');
      if (updated.wasEnabled && !updated.enabled) {
        await this.triggers.record({ organizationId, type: 'LOCATION_DOWN', subjectIds: [updated.id] });
      }
      return toProxy(updated);
    });
  }

  /** Deletes a location, also from the scans that name it; `NotFound` if there is none. */
  async remove(organizationId: string, id: string): Promise<void> {
    await this.unitOfWork.run(async () => {
      const { name } = found(await this.repository.byId(organizationId, id), 'Location');
      const removed = await this.repository.remove(organizationId, id);
      if (!removed) throw new NotFound('Location not found');
      await this.audit.record({ action: 'location.deleted', organizationId, subject: { id, name } });
    });
  }
}
