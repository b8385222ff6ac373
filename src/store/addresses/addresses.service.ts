import { Injectable } from '@nestjs/common';
import type { CallerIdentity } from '../../platform/auth/caller.js';
import { uuidV7 } from '../../platform/crypto/uuid-v7.js';
import { found, Unauthenticated } from '../../platform/errors/errors.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { type AddressDraft, AddressesRepository } from './addresses.repository.js';
import { toAddress } from './addresses.mapper.js';
import type { Address, AddressCreate, AddressUpdate } from './addresses.dto.js';

/** The addresses that customers keep for their orders. As long as somebody has any, one of them is the default. */
@Injectable()
export class AddressesService {
  constructor(
    private readonly repository: AddressesRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** The caller's addresses, the default first, then the newest. */
  async list({ id }: CallerIdentity): Promise<Address[]> {
    return (await this.repository.ofUser(id)).map(toAddress);
  }

  /** Adds an address; `QuotaExceeded` where the caller has as many as they may. */
  create({ is_default, ...fields }: AddressCreate, caller: CallerIdentity): Promise<Address> {
    return this.change(caller, async (userId) => {
      const others = await this.repository.ofUser(userId);
      const id = uuidV7();
      await this.repository.insert(userId, id, { ...toDraft(fields), phone: fields.phone ?? null } as AddressDraft);
      if (is_default || others.length === 0) await this.repository.makeDefault(userId, id);
      return this.one(userId, id);
    });
  }

  /** Changes fields of an address, or makes it the default. `NotFound` for one that is not the caller's. */
  update(id: string, { is_default, ...fields }: AddressUpdate, caller: CallerIdentity): Promise<Address> {
    return this.change(caller, async (userId) => {
      await this.one(userId, id);
      await this.repository.update(id, toDraft(fields));
      if (is_default) await this.repository.makeDefault(userId, id);
      return this.one(userId, id);
    });
  }

  /** Removes an address; the newest of the others becomes the default in its place. `NotFound` likewise. */
  async remove(id: string, caller: CallerIdentity): Promise<void> {
    await this.change(caller, async (userId) => {
      const { is_default } = await this.one(userId, id);
      await this.repository.remove(id);
      const [next] = is_default ? await this.repository.ofUser(userId) : [];
      if (next) await this.repository.makeDefault(userId, next.id);
    });
  }

  /** Changes the caller's addresses while nobody else does. */
  private change<T>({ id }: CallerIdentity, work: (userId: string) => Promise<T>): Promise<T> {
    return this.unitOfWork.run(async () => {
      if (!(await this.repository.lockOwner(id))) throw new Unauthenticated('This account was deleted');
      return work(id);
    });
  }

  private async one(userId: string, id: string): Promise<Address> {
    return toAddress(found(await this.repository.one(userId, id), 'Address'));
  }
}

/** The fields that were sent; null leaves one unchanged that cannot be empty. */
function toDraft(fields: Omit<AddressUpdate, 'is_default'>): Partial<AddressDraft> {
  const { first_name, last_name, zip_code, phone, ...same } = fields;
  const required = { ...same, firstName: first_name, lastName: last_name, zipCode: zip_code };
  const given = Object.entries(required).filter(([, value]) => value !== undefined && value !== null);
  return { ...Object.fromEntries(given), ...(phone !== undefined && { phone }) };
}
