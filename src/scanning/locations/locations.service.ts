import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import { uuidV7 } from '../../common/crypto/uuid-v7.js';
import { Invalid } from '../../common/errors/invalid.js';
import { found, NotFound } from '../../common/errors/kinds.js';
import { type Page, pageOf, startOf } from '../../common/http/cursor.js';
import { containing } from '../../database/like-pattern.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import type { SearchPaging } from '../search-paging.js';
import { TriggersService } from '../triggers/triggers.service.js';
import { LocationsRepository } from './locations.repository.js';
import type { Proxy, ProxyCreate, ProxyUpdate } from './locations.shapes.js';

function demandIp(ip: string | null | undefined): void {
  if (typeof ip !== 'string' || isIP(ip) !== 0) return;
  throw Invalid.at(['body', 'ip'], 'ip_any_address', 'Input should be a valid IPv4 or IPv6 address', ip);
}

/** The locations that scans are run from. */
@Injectable()
export class LocationsService {
  constructor(
    private readonly repository: LocationsRepository,
    private readonly triggers: TriggersService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** A page of the locations, newest first; `search` is found in the name. `Invalid` for a broken cursor. */
  async list(organizationId: string, { size, cursor, search }: SearchPaging): Promise<Page<Proxy>> {
    const name = search === undefined ? null : containing(search);
    const rows = await this.repository.page(organizationId, startOf(cursor), name, size + 1);
    return pageOf(rows, size, (location) => location);
  }

  /** Makes a location; `Invalid` for an `ip` that is none. */
  async create(organizationId: string, location: ProxyCreate): Promise<Proxy> {
    demandIp(location.ip);
    return this.repository.insert(uuidV7(), organizationId, location);
  }

  /** One location; `NotFound` where there is none. */
  async get(organizationId: string, id: string): Promise<Proxy> {
    return found(await this.repository.byId(organizationId, id), 'Location');
  }

  /**
   * Changes what is given of a location; one that is disabled by it fires LOCATION_DOWN. `NotFound` where there is
   * none, `Invalid` for an `ip` that is none.
   */
  async update(organizationId: string, id: string, changes: ProxyUpdate): Promise<Proxy> {
    demandIp(changes.ip);
    return this.unitOfWork.run(async () => {
      const updated = found(await this.repository.update(organizationId, id, changes), 'Location');
      const { wasEnabled, ...location } = updated;
      if (wasEnabled && !location.enabled) {
        await this.triggers.record({ organizationId, type: 'LOCATION_DOWN', subjectIds: [location.id] });
      }
      return location;
    });
  }

  /** Deletes a location, also from the scans that name it; `NotFound` where there is none. */
  async remove(organizationId: string, id: string): Promise<void> {
    if (!(await this.repository.remove(organizationId, id))) throw new NotFound('Location not found');
  }
}
