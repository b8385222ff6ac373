import { type EmptyDatabase, fill, fillSales, shopProducts } from './fill.js';
import type { Sizes } from './pace.js';
import { fillEvents, makePartitions } from './scanning/fill-events.js';
import { fillIssues } from './scanning/fill-issues.js';
import { fillOrganization } from './scanning/fill-organization.js';

interface Filling {
  /** Its contents. */
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

function organizationOf(issues: (sizes: Sizes) => number): Filling {
  return {
    what: (sizes) => `an organization with ${issues(sizes)} issues`,
    fill: async ({ client }, sizes) => {
      await fillOrganization(client);
      await fillIssues(client, issues(sizes));
    },
  };
}

/** The databases that rows are measured on. */
export const databases = {
  sales: {
    what: ({ orders }) => `a shop of ${orders} orders`,
    fill: ({ client }, { orders }) => fillSales(client, orders),
  },
  few_sales: {
    what: ({ orders }) => `a shop of ${orders / 10} orders`,
    fill: ({ client }, { orders }) => fillSales(client, orders / 10),
  },
  shop: shop(() => shopProducts),
  words: shop(({ words }) => words),
  million: shop(({ million }) => million),
  events: organizationWith(({ events }) => events),
  few_events: organizationWith(({ fewEvents }) => fewEvents),
  appends: {
    what: () => 'an organization that events are appended to',
    fill: async ({ client }) => {
      await fillOrganization(client);
      await makePartitions(client, new Date());
    },
  },
  imports: {
    what: () => 'an organization that reports are imported into',
    fill: async ({ client }) => {
      await fillOrganization(client);
      await makePartitions(client, new Date());
    },
  },
  exports: {
    what: ({ issues }) => `an organization with ${issues} issues`,
    fill: async ({ client }, { issues }) => {
      await fillOrganization(client);
      await fillIssues(client, issues);
    },
  },
  issues: organizationOf(({ million }) => million),
  few_issues: organizationOf(({ issues }) => issues),
} satisfies Record<string, Filling>;

export type DatabaseName = keyof typeof databases;
