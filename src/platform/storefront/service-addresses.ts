import type { INestApplicationContext } from '@nestjs/common';
import { listRoutes, paramsIn, partsOf, type Route } from '../auth/route-list.js';

/** What is served beside the routes of controllers. */
const besides = ['api', 'console', 'docs', 'health', 'metrics', 'openapi.json'];

/** Where the service and the shop front both have pages: there each has those that it names. */
const shared = 'account';

/** The addresses that are the service's own: all below the first part of one of its routes. */
export class ServiceAddresses {
  private known: { firsts: ReadonlySet<string>; shared: readonly Route[] } | undefined;

  constructor(private readonly app: INestApplicationContext) {}

  has(path: string): boolean {
    this.known ??= this.read();
    const parts = partsOf(path);
    const first = parts[1]?.toLowerCase() ?? '';
    if (first === shared) return this.known.shared.some((route) => paramsIn(parts, route) !== null);
    return this.known.firsts.has(first);
  }

  private read() {
    const routes = listRoutes(this.app);
    const firsts = new Set([...besides, ...routes.map(({ parts }) => parts[1] ?? '')].filter((first) => first !== ''));
    return { firsts, shared: routes.filter(({ parts }) => parts[1] === shared) };
  }
}
