import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Database, statement } from '../../database/database.js';
import { StockQuotas } from '../../platform/quotas/stock-quotas.js';
import { countUpTo } from '../../platform/quotas/stock-quotas.statements.js';
import { namePage, namePageValues } from '../name-search.statements.js';
import type { SearchPaging } from '../search-paging.js';
import { ProfileEntity } from './profile.entity.js';
import type { Application, ApplicationUpdate } from './profiles.dto.js';

const columns = 'id, name, scanner_kind AS "scannerKind", type, created_at AS "createdAt", updated_at AS "updatedAt"';

const page = namePage('profiles', columns);

const update = statement(
  'profiles.update',
  `UPDATE profiles
      SET name = coalesce($3, name), scanner_kind = coalesce($4, scanner_kind), type = coalesce($5, type),
          updated_at = now()
    WHERE organization_id = $1 AND id = $2
   RETURNING ${columns}`,
);

const count = statement('profiles.count', countUpTo('profiles WHERE organization_id = $1'));

@Injectable()
export class ProfilesRepository {
  constructor(
    private readonly database: Database,
    private readonly stockQuotas: StockQuotas,
    @InjectRepository(ProfileEntity) private readonly profiles: Repository<ProfileEntity>,
  ) {}

  page(organizationId: string, paging: SearchPaging): Promise<Application[]> {
    return this.database.rows<Application>(page, namePageValues(organizationId, paging));
  }

  byId(organizationId: string, id: string): Promise<ProfileEntity | null> {
    return this.profiles.findOneBy({ organizationId, id });
  }

  oldestNamed(organizationId: string, name: string): Promise<ProfileEntity | null> {
    return this.profiles.findOne({ where: { organizationId, name }, order: { createdAt: 'ASC', id: 'ASC' } });
  }

  insert(profile: Omit<ProfileEntity, 'createdAt' | 'updatedAt'>): Promise<ProfileEntity> {
    return this.stockQuotas.within('profiles', profile.organizationId, count, async () => {
      const row = this.profiles.create(profile);
      await this.profiles.insert(row);
      return row;
    });
  }

  update(organizationId: string, id: string, changes: ApplicationUpdate): Promise<Application | null> {
    const { name = null, scannerKind = null, type = null } = changes;
    return this.database.row<Application>(update, [organizationId, id, name, scannerKind, type]);
  }

  /** Returns whether there was one. */
  async remove(organizationId: string, id: string): Promise<boolean> {
    return (await this.profiles.delete({ organizationId, id })).affected === 1;
  }
}
