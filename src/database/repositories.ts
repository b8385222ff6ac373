import type { DynamicModule, Provider } from '@nestjs/common';
import { getRepositoryToken, TypeOrmModule } from '@nestjs/typeorm';
import { type EntityManager, type EntityTarget, type ObjectLiteral, Repository } from 'typeorm';
import { UnitOfWork } from './unit-of-work.js';

type EntityClass = new () => ObjectLiteral;

/** A TypeORM repository whose statements run in the current unit of work, if there is one. */
class UnitRepository<Entity extends ObjectLiteral> extends Repository<Entity> {
  constructor(target: EntityTarget<Entity>, unitOfWork: UnitOfWork) {
    super(target, unitOfWork.manager);
    Object.defineProperty(this, 'manager', { get: (): EntityManager => unitOfWork.manager });
  }
}

/**
 * Registers the entities of a module and provides their repositories for `@InjectRepository`. Inside `UnitOfWork.run`
 * they use the unit's connection, outside one of the pool.
 */
export function repositoriesOf(entities: EntityClass[]): DynamicModule {
  const providers = entities.map((entity): Provider => ({
    provide: getRepositoryToken(entity),
    inject: [UnitOfWork],
    useFactory: (unitOfWork: UnitOfWork) => new UnitRepository(entity, unitOfWork),
  }));
  return { ...TypeOrmModule.forFeature(entities), providers, exports: providers };
}
