import { Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** A tag that an asset bears. */
@Entity('asset_tags')
@Index('asset_tags_tag_idx', ['tagId'])
export class AssetTagEntity {
  @ForeignKey('assets', { name: 'asset_tags_asset_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { name: 'asset_id', primaryKeyConstraintName: 'asset_tags_pkey' })
  assetId: string;

  @ForeignKey('tags', { name: 'asset_tags_tag_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { name: 'tag_id', primaryKeyConstraintName: 'asset_tags_pkey' })
  tagId: string;
}
