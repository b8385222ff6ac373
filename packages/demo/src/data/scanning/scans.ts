import type { ScanKind, ScanStatus } from '../../../../../src/scanning/vocabulary.js';
import type { LocationName, ProfileName } from './company.js';

/** How a scan works. It decides what its events are about. */
export type ScanManner = 'rest' | 'graphql' | 'grpc' | 'web' | 'surface' | 'code' | 'agent';

/** One scan of the demo. `minutes` is how long it took, or is in progress. The first asset is the main one. */
export interface DemoScan {
  key: string;
  profile: ProfileName;
  kind: ScanKind;
  status: ScanStatus;
  manner: ScanManner;
  location: LocationName | null;
  assets: string[];
  daysAgo: number;
  minutes: number;
  progressRatio: number;
  events: number;
  /** What of the code was scanned. */
  source?: { branch: string; commit: string; tool: string; toolVersion: string };
}

/** A minute in days. */
export const minute = 1 / (24 * 60);

type Scan = Omit<DemoScan, 'progressRatio'> & { progressRatio?: number };

const planned: Scan[] = [
  {
    key: 'rest-1',
    profile: 'Storefront REST API',
    kind: 'BLST_REST',
    status: 'FINISHED',
    manner: 'rest',
    location: 'Platform, Frankfurt',
    assets: ['Storefront API', 'Storefront OpenAPI'],
    daysAgo: 34.2,
    minutes: 47,
    events: 320,
  },
  {
    key: 'web-1',
    profile: 'Web shop front end',
    kind: 'FRONTEND_DAST',
    status: 'FINISHED',
    manner: 'web',
    location: 'Platform, Frankfurt',
    assets: ['Web shop', 'Picture CDN'],
    daysAgo: 31.6,
    minutes: 88,
    events: 280,
  },
  {
    key: 'graphql-1',
    profile: 'Catalogue GraphQL',
    kind: 'BLST_GRAPHQL',
    status: 'FINISHED',
    manner: 'graphql',
    location: 'Platform, Virginia',
    assets: ['Catalogue GraphQL', 'Catalogue schema'],
    daysAgo: 27.4,
    minutes: 33,
    events: 220,
  },
  {
    key: 'code-1',
    profile: 'Source code',
    kind: 'ASM_CODE_PROJECT',
    status: 'FINISHED',
    manner: 'code',
    location: null,
    assets: ['storefront-api', 'web-shop', 'checkout-service', 'warehouse-tools', 'left-trim 1.2.0'],
    source: {
      branch: 'main',
      commit: '9e07b31d4c55fa2086d1e7b0357ac914f2d68c3b',
      tool: 'CodeLook',
      toolVersion: '2.3.1',
    },
    daysAgo: 24.1,
    minutes: 12,
    events: 180,
  },
  {
    key: 'surface-1',
    profile: 'Attack surface',
    kind: 'ASM_DNS',
    status: 'FINISHED',
    manner: 'surface',
    location: 'Platform, Virginia',
    assets: [
      'shop.harbour-outfitters.example',
      'old-blog.harbour-outfitters.example',
      '203.0.113.24',
      '2001:db8:40::24',
      '198.51.100.64/27',
      'Production account',
      'PostgreSQL 14',
    ],
    daysAgo: 21.3,
    minutes: 26,
    events: 200,
  },
  {
    key: 'rest-2',
    profile: 'Storefront REST API',
    kind: 'BLST_REST',
    status: 'FAILED',
    manner: 'rest',
    location: 'Platform, Frankfurt',
    assets: ['Storefront API, staging'],
    daysAgo: 19.8,
    minutes: 9,
    progressRatio: 0.31,
    events: 110,
  },
  {
    key: 'grpc-1',
    profile: 'Warehouse gRPC',
    kind: 'ASM_GRPC',
    status: 'FAILED',
    manner: 'grpc',
    location: 'Warehouse network',
    assets: ['Warehouse stock feed'],
    daysAgo: 16.9,
    minutes: 4,
    progressRatio: 0.12,
    events: 60,
  },
  {
    key: 'pentest-1',
    profile: 'Storefront REST API',
    kind: 'AUTOMATED_PENTEST_REST',
    status: 'FINISHED',
    manner: 'agent',
    location: 'Platform, Frankfurt',
    assets: ['Storefront API', 'Order updates', 'Support assistant tools', 'order-export', 'Partner collection'],
    daysAgo: 13.7,
    minutes: 214,
    events: 460,
  },
  {
    key: 'web-2',
    profile: 'Web shop front end',
    kind: 'FRONTEND_DAST',
    status: 'CANCELED',
    manner: 'web',
    location: 'Platform, Frankfurt',
    assets: ['Back office'],
    daysAgo: 10.2,
    minutes: 21,
    progressRatio: 0.44,
    events: 130,
  },
  {
    key: 'rest-3',
    profile: 'Storefront REST API',
    kind: 'BLST_REST',
    status: 'FINISHED',
    manner: 'rest',
    location: 'Platform, Frankfurt',
    assets: ['Storefront API', 'Storefront API, staging'],
    daysAgo: 7.1,
    minutes: 51,
    events: 320,
  },
  {
    key: 'graphql-2',
    profile: 'Catalogue GraphQL',
    kind: 'BLST_GRAPHQL',
    status: 'FINISHED',
    manner: 'graphql',
    location: 'Platform, Virginia',
    assets: ['Catalogue GraphQL'],
    daysAgo: 4.6,
    minutes: 35,
    events: 200,
  },
  {
    key: 'pentest-2',
    profile: 'Web shop front end',
    kind: 'AUTOMATED_PENTEST_WEBAPP',
    status: 'FINISHED',
    manner: 'agent',
    location: 'Platform, Virginia',
    assets: ['Web shop', 'Back office'],
    daysAgo: 2.8,
    minutes: 172,
    events: 420,
  },
  {
    key: 'code-2',
    profile: 'Source code',
    kind: 'ASM_CODE_PROJECT',
    status: 'FINISHED',
    manner: 'code',
    location: null,
    assets: ['storefront-api', 'theme-kit', 'Build pipeline', 'harbour-outfitters on the code host', 'Cloud posture'],
    source: {
      branch: 'main',
      commit: '4c1f7a90be2d63518f0c7a1e9b5d24c83f6a7710',
      tool: 'CodeLook',
      toolVersion: '2.4.0',
    },
    daysAgo: 1.2,
    minutes: 14,
    events: 150,
  },
  {
    key: 'rest-4',
    profile: 'Storefront REST API',
    kind: 'BLST_REST',
    status: 'RUNNING',
    manner: 'rest',
    location: 'Platform, Frankfurt',
    assets: ['Storefront API'],
    daysAgo: 28 * minute,
    minutes: 28,
    progressRatio: 0.62,
    events: 190,
  },
  {
    key: 'web-3',
    profile: 'Web shop front end',
    kind: 'FRONTEND_DAST',
    status: 'STARTING',
    manner: 'web',
    location: 'Platform, Frankfurt',
    assets: ['Web shop'],
    daysAgo: 1.5 * minute,
    minutes: 1.5,
    progressRatio: 0,
    events: 4,
  },
];

/** Every scan of the demo, oldest first. */
export const scans: readonly DemoScan[] = planned.map((scan) => ({ progressRatio: 1, ...scan }));
