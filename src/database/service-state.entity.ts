import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What the service remembers of itself, such as whether it loaded the demo data. */
@Entity('service_state')
export class ServiceStateEntity {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'service_state_pkey' })
  key: string;

  @Column('jsonb')
  value: unknown;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' })
  updatedAt: Date;
}
