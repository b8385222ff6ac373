import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The last number given to a batch of an organization's events; giving the next one locks the row. */
@Entity('event_positions')
export class EventPositionEntity {
  @PrimaryColumn('uuid', { name: 'organization_id', primaryKeyConstraintName: 'event_positions_pkey' })
  organizationId: string;

  @Column('bigint', { default: 0 })
  last: string;
}
