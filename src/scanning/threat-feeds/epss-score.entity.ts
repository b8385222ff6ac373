import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How probably a vulnerability is exploited, as EPSS says. */
@Entity('epss_scores')
export class EpssScoreEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'epss_scores_pkey' })
  generation: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'epss_scores_pkey' })
  cve: string;

  @Column('double precision')
  epss: number;

  @Column('double precision')
  percentile: number;
}
