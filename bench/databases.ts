import type { Client } from 'pg';
import { fill, shopProducts } from './fill.js';
import type { Sizes } from './pace.js';
import { fillEvents, makeRoomForEvents } from './scanning/fill-events.js';
import { fillIssues } from './scanning/fill-issues.js';
import { fillOrganization } from './scanning/fill-organization.js';

/** A migrated, empty database that is to be filled. */
export interface EmptyDatabase {
  client: Client;
  /** Another connection to it. */
  connect: () => Promise<Client>;
}

interface Filling {
  /** What it holds. */
  what: (sizes: Sizes) => string;
  fill: (database: EmptyDatabase, sizes: Sizes) => Promise<void>;
}

function shop(products: (sizes: Sizes) => number): Filling {
  return {
    what: (sizes) => `a shop of ${products(sizes)} products`,
    fill: ({ client }, sizes) => fill(client, products(sizes)),
  };
}

function organizationWith(events: (sizes: Sizes) => number): Filling {
  return {
    what: (sizes) => `an organization with ${events(sizes)} events`,
    fill: async (database, sizes) => {
      await fillOrganization(database.client);
      await fillEvents(database, events(sizes));
    },
  };
}

/** The databases that rows are measured on. */
export const databases = {
  shop: shop(() => shopProducts),
  words: shop(({ words }) => words),
  million: shop(({ million }) => million),
  events: organizationWith(({ events }) => events),
  few_events: organizationWith(({ fewEvents }) => fewEvents),
  appends: {
    what: () => 'an organization that events are appended to',
    fill: async ({ client }) => {
      await fillOrganization(client);
      await makeRoomForEvents(client, new Date());
    },
  },
  imports: {
    what: () => 'an organization that reports are imported into',
    fill: async ({ client }) => {
      await fillOrganization(client);
      await makeRoomForEvents(client, new Date());
    },
  },
  exports: {
    what: ({ issues }) => `an organization with ${issues} issues`,
    fill: async ({ client }, { issues }) => {
      await fillOrganization(client);
      await fillIssues(client, issues);
    },
  },
} satisfies Record<string, Filling>;

export type DatabaseName = keyof typeof databases;
