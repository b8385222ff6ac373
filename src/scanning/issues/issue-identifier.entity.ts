import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** An identifier of an issue, by which lists find it. Triggers keep it as the issue's details have it. */
@Entity('issue_identifiers')
@Index('issue_identifiers_value_idx', ['organizationId', 'value', 'issueId'])
export class IssueIdentifierEntity {
  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @PrimaryColumn('uuid', { name: 'issue_id', primaryKeyConstraintName: 'issue_identifiers_pkey' })
  issueId: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'issue_identifiers_pkey' })
  value: string;
}
