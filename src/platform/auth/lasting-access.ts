import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { CallerDirectory } from './caller.js';
import { type KnownToken, KnownTokens } from './known-tokens.js';
import { type OrganizationCaller, OrganizationDirectory } from './organization-caller.js';

/** The right by which a lasting request was admitted. */
export interface Admission {
  member: OrganizationCaller;
  /** Null for an API key. */
  token: KnownToken | null;
}

/** Checks again and again whether lasting requests would still be admitted. */
@Injectable()
export class LastingAccess {
  constructor(
    private readonly callers: CallerDirectory,
    private readonly organizations: OrganizationDirectory,
    private readonly tokens: KnownTokens,
  ) {}

  /** The right of a request that the access guard has just let in. */
  admissionOf({ headers }: Request, member: OrganizationCaller): Admission {
    const token = member.userId === null ? null : this.tokens.find(headers.authorization ?? '');
    return { member, token: token ?? null };
  }

  /** The admissions that no longer hold, by two statements for any number. */
  async ended<T extends Admission>(admissions: T[]): Promise<T[]> {
    const tokens = admissions.flatMap(({ token }) => token ?? []);
    const members = admissions.map(({ member }) => member);
    const [validTokens, validMembers] = await Promise.all([
      this.callers.valid(tokens),
      this.organizations.present(members),
    ]);
    return admissions.filter(({ member, token }) => {
      const byToken = token !== null && token.expiresAt > Date.now() / 1_000 && validTokens.has(token);
      return !validMembers.has(member) || (member.userId !== null && !byToken);
    });
  }
}
