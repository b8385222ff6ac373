import { Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** An asset that a scan is about. */
@Entity('scan_assets')
@Index('scan_assets_asset_idx', ['assetId'])
export class ScanAssetEntity {
  @ForeignKey('scans', { name: 'scan_assets_scan_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { name: 'scan_id', primaryKeyConstraintName: 'scan_assets_pkey' })
  scanId: string;

  @ForeignKey('assets', { name: 'scan_assets_asset_id_fkey' })
  @PrimaryColumn('uuid', { name: 'asset_id', primaryKeyConstraintName: 'scan_assets_pkey' })
  assetId: string;
}
