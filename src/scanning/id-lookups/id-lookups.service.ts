import { Injectable } from '@nestjs/common';
import { includesRole, type OrganizationCaller } from '../../platform/auth/organization-caller.js';
import { Forbidden } from '../../platform/errors/errors.js';
import { type IdRange, IdLookupsRepository } from './id-lookups.repository.js';
import type { IdCandidates, IdLookup } from './id-lookups.dto.js';

const mostCandidates = 10;
const least = '00000000-0000-0000-0000-000000000000';
const greatest = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Finds ids by their beginning. */
@Injectable()
export class IdLookupsService {
  constructor(private readonly repository: IdLookupsRepository) {}

  /**
   * Returns the first ten resources of a kind whose ids begin so. `Forbidden` for API keys to all but admins;
   * `RateExceeded` where the organization has too many searches in progress.
   */
  async lookUp({ organizationId, role }: OrganizationCaller, { kind, prefix }: IdLookup): Promise<IdCandidates> {
    if (kind === 'API_KEY' && !includesRole(role, 'admin')) {
      throw new Forbidden(`Only admins of the organization can list API keys; your role is ${role}`, 'role_too_low');
    }
    const found = await this.repository.candidates(organizationId, kind, rangeOf(prefix), mostCandidates + 1);
    return { data: found.slice(0, mostCandidates), more: found.length > mostCandidates };
  }
}

function timeAt(id: string): Date {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));
}

function rangeOf(prefix: string): IdRange {
  const from = prefix + least.slice(prefix.length);
  const to = prefix + greatest.slice(prefix.length);
  return { from, to, fromTime: timeAt(from), toTime: timeAt(to) };
}
