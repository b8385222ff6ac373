import { Column, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';

/** The service's facts about the database as a whole, such as that it holds the demo data. */
@Entity('service_state')
export class ServiceStateEntity {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'service_state_pkey' })
  key: string;

  @Column('jsonb')
  value: unknown;

  @UpdateDateColumn({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt: Date;
}
