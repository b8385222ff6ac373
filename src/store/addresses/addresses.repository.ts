import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Database } from '../../database/database.js';
import { StockQuotas } from '../../platform/quotas/stock-quotas.js';
import { count, lockOwner, makeDefault } from './addresses.statements.js';
import { UserAddressEntity } from './user-address.entity.js';

/** An address as its owner writes it. */
export type AddressDraft = Omit<UserAddressEntity, 'id' | 'userId' | 'isDefault' | 'createdAt'>;

@Injectable()
export class AddressesRepository {
  constructor(
    private readonly database: Database,
    private readonly stockQuotas: StockQuotas,
    @InjectRepository(UserAddressEntity) private readonly addresses: Repository<UserAddressEntity>,
  ) {}

  /** Locks the account until the unit of work ends; returns whether it is there. */
  async lockOwner(userId: string): Promise<boolean> {
    return (await this.database.row(lockOwner, [userId])) !== null;
  }

  /** The addresses of an account, the default first, then the newest. */
  ofUser(userId: string): Promise<UserAddressEntity[]> {
    return this.addresses.find({ where: { userId }, order: { isDefault: 'DESC', createdAt: 'DESC', id: 'DESC' } });
  }

  one(userId: string, id: string): Promise<UserAddressEntity | null> {
    return this.addresses.findOneBy({ userId, id });
  }

  /** Adds an address of a locked account; `QuotaExceeded` where it has as many as it may. */
  async insert(userId: string, id: string, draft: AddressDraft): Promise<void> {
    await this.stockQuotas.within('addresses', userId, count, () => this.addresses.insert({ ...draft, id, userId }));
  }

  async update(id: string, changes: Partial<AddressDraft>): Promise<void> {
    if (Object.keys(changes).length > 0) await this.addresses.update({ id }, changes);
  }

  async makeDefault(userId: string, id: string): Promise<void> {
    await this.database.execute(makeDefault, [userId, id]);
  }

  async remove(id: string): Promise<void> {
    await this.addresses.delete({ id });
  }
}
