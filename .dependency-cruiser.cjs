/** The walls between the modules (README, "The house"). */
const storeModules = '^src/store/([^/]+)/';

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-orphans', severity: 'error', from: { orphan: true, pathNot: ['^src/main\\.ts$'] }, to: {} },
    {
      name: 'config-is-the-ground',
      severity: 'error',
      from: { path: '^src/config/' },
      to: { path: '^src/', pathNot: '^src/config/' },
    },
    {
      name: 'common-stands-on-config',
      severity: 'error',
      from: { path: '^src/common/' },
      to: { path: '^src/', pathNot: '^src/(config|common)/' },
    },
    {
      name: 'database-stands-on-common',
      severity: 'error',
      from: { path: '^src/database/' },
      to: { path: '^src/', pathNot: '^src/(config|common|database)/' },
    },
    {
      name: 'rooms-stand-below-the-app',
      severity: 'error',
      from: { path: '^src/(store|scanning)/' },
      to: { path: '^src/[^/]+\\.ts$' },
    },
    {
      name: 'the-demo-stands-below-the-app',
      severity: 'error',
      from: { path: '^src/demo/' },
      to: { path: '^src/[^/]+\\.ts$' },
    },
    {
      name: 'nothing-below-the-app-takes-from-the-demo',
      severity: 'error',
      from: { path: '^src/.+/', pathNot: '^src/demo/' },
      to: { path: '^src/demo/' },
    },
    {
      name: 'wings-are-apart',
      severity: 'error',
      from: { path: '^src/store/' },
      to: { path: '^src/scanning/' },
    },
    {
      name: 'sql-stays-in-repositories',
      severity: 'error',
      from: { path: `${storeModules}.*\\.(controller|service|mapper|shapes)\\.ts$` },
      to: { path: '^src/database/database\\.ts$' },
    },
    {
      name: 'a-repository-serves-its-own-room',
      severity: 'error',
      from: { path: storeModules },
      to: { path: `${storeModules}.*\\.(repository|mapper)\\.ts$`, pathNot: '^src/store/$1/' },
    },
    {
      name: 'controllers-call-services',
      severity: 'error',
      from: { path: '\\.controller\\.ts$' },
      to: { path: '\\.(repository|entity|mapper)\\.ts$' },
    },
    {
      name: 'only-the-top-calls-accounts-and-admin',
      severity: 'error',
      from: { path: '^src/store/', pathNot: '^src/store/(accounts|admin)/' },
      to: { path: '^src/store/(accounts|admin)/' },
    },
    {
      name: 'speakeasy-in-one-file',
      severity: 'error',
      from: { pathNot: '^src/store/totp/totp-codes\\.ts$' },
      to: { path: 'node_modules/speakeasy' },
    },
    {
      name: 'the-client-knows-the-service-by-types-of-shapes',
      severity: 'error',
      from: { path: '^src/client/' },
      to: { path: '^src/', pathNot: ['^src/client/', '\\.shapes\\.ts$'] },
    },
    {
      name: 'the-client-takes-no-code-of-shapes',
      severity: 'error',
      from: { path: '^src/client/' },
      to: { path: '\\.shapes\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'the-client-starts-fast',
      severity: 'error',
      from: { path: '^src/client/' },
      to: { path: 'node_modules/', pathNot: 'node_modules/(commander|@types/node)/' },
    },
    {
      name: 'nothing-takes-from-the-client',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/client/' },
      to: { path: '^src/client/' },
    },
    {
      name: 'no-development-packages',
      severity: 'error',
      from: { path: '^src/' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
