import { Injectable } from '@nestjs/common';
import { ProfilesService } from '../profiles/profiles.service.js';
import type { ScanKind } from '../vocabulary.js';
import { shortened } from './report-text.js';
import { ReportsRepository } from './reports.repository.js';

const maxName = 200;

/** Finds the profile for the scan of an import. */
@Injectable()
export class ReportProfilesService {
  constructor(
    private readonly repository: ReportsRepository,
    private readonly profiles: ProfilesService,
  ) {}

  /** Throws `NotFound` if the organization has no such profile. */
  async assertOwn(organizationId: string, profileId: string): Promise<void> {
    await this.profiles.get(organizationId, profileId);
  }

  /**
   * Returns the given profile, else the one named after the tool, which it creates if there is none. Call it in the
   * unit of work of the import, which then holds the lock on imports of that profile.
   */
  async idOf(organizationId: string, profileId: string | undefined, tool: string, kind: ScanKind): Promise<string> {
    const name = shortened(tool, maxName);
    await this.repository.lockProfile(organizationId, profileId?.toLowerCase() ?? name);
    if (profileId !== undefined) return profileId;
    const known = await this.profiles.named(organizationId, name);
    if (known) return known.id;
    const made = await this.profiles.create(organizationId, { name, scannerKind: kind, type: 'REST' });
    return made.id;
  }
}
