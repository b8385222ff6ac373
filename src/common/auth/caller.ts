import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';

export type Role = 'user' | 'admin';

/** Who sent the request, as the access token and the account's present state say. */
export interface CallerIdentity {
  id: string;
  username: string;
  role: Role;
}

/** Finds the account behind a token. Implemented by the module that owns accounts. */
export abstract class CallerDirectory {
  /** The account, or null when it is gone or its tokens of this version were ended. */
  abstract find(userId: string, tokenVersion: number): Promise<CallerIdentity | null>;
}

function callerOf(context: ExecutionContext): CallerIdentity | null {
  return (context.switchToHttp().getRequest<Request>().user as CallerIdentity | undefined) ?? null;
}

/** The caller of a route that only a signed-in caller reaches. */
export const Caller = createParamDecorator((_: unknown, context: ExecutionContext): CallerIdentity => {
  const caller = callerOf(context);
  if (!caller) throw new Error('A route that takes @Caller() must carry an access mark that asks for one');
  return caller;
});

/** The caller of a route that is open to all, or null when none is signed in. */
export const MaybeCaller = createParamDecorator((_: unknown, context: ExecutionContext) => callerOf(context));
