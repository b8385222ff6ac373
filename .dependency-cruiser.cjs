/** The walls between the folders (README, "The house"). test/architecture/walls.test.ts breaks each of them once. */
const modules = '^src/(store|scanning)/([^/]+)/';
/** A module's `*.statements.ts` may hold pieces of SQL from which others compose theirs; the rest is its own. */
const tables = '\\.(repository|mapper|entity)\\.ts$';
const sqlPackages = 'node_modules/(typeorm|@nestjs/typeorm|pg|pg-copy-streams|graphile-worker)/';

/** What of the platform stands below the database; jobs, mail, audit, quotas and deliveries stand on it. */
const ground =
  'config|platform/(auth|cache|changes|concurrency|console|crypto|errors|http|net|openapi|storefront|tracing|validation)';

/** Files that use the tables of another module, each for a reason. */
const guests = [
  '^src/scanning/webhook-export/', // sends the actions of workflows' runs: a rule of its own below
  '^src/store/(auth|totp)/(auth|totp)\\.(repository|module)\\.ts$', // a login changes its account while it locks it
];

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: { pathNot: '^packages/sdk/src/generated/' }, to: { circular: true } },
    {
      name: 'no-cycles-of-folders',
      severity: 'error',
      scope: 'folder',
      // The database stands on a part of the platform and another part on it: the walls below hold these apart.
      from: { path: '^(src|packages/sdk/src|test|bench)', pathNot: '^src/(platform|database)$' },
      to: { path: '^(src|packages/sdk/src|test|bench)', circular: true },
    },
    {
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true, path: '^src/', pathNot: ['^src/main\\.ts$', '\\.d\\.ts$'] },
      to: {},
    },
    {
      name: 'config-is-the-ground',
      severity: 'error',
      from: { path: '^src/config/' },
      to: { path: '^src/', pathNot: '^src/config/' },
    },
    {
      name: 'the-ground-stands-on-config',
      severity: 'error',
      from: { path: `^src/(${ground})/` },
      to: { path: '^src/', pathNot: `^src/(${ground})/` },
    },
    {
      name: 'connections-stand-on-the-ground',
      severity: 'error',
      from: { path: '^src/database/connections/' },
      to: { path: '^src/', pathNot: `^src/(${ground}|database/connections)/` },
    },
    {
      name: 'database-stands-on-the-ground',
      severity: 'error',
      from: { path: '^src/database/' },
      to: { path: '^src/', pathNot: `^src/(${ground}|database)/` },
    },
    {
      name: 'quotas-stand-on-the-database',
      severity: 'error',
      from: { path: '^src/platform/quotas/' },
      to: { path: '^src/', pathNot: `^src/(${ground}|database|platform/quotas)/` },
    },
    {
      name: 'the-embedded-server-stands-alone',
      severity: 'error',
      from: { path: '^packages/embedded-postgres/src/' },
      to: { path: '^(src|packages)/', pathNot: '^packages/embedded-postgres/src/' },
    },
    {
      name: 'the-demo-knows-the-service-by-types',
      severity: 'error',
      from: { path: '^packages/demo/src/' },
      to: { path: '^(src|packages)/', pathNot: '^packages/demo/src/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'packages-are-entered-by-their-doors',
      severity: 'error',
      from: { path: '^(src|bench|scripts)/' },
      to: { path: '^packages/(demo|embedded-postgres)/src/', pathNot: '/src/index\\.ts$' },
    },
    {
      name: 'the-service-knows-none-of-its-clients',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^packages/(client|console|sdk|storefront)/' },
    },
    {
      name: 'jobs-know-no-module',
      severity: 'error',
      from: { path: '^src/platform/jobs/' },
      to: { path: '^src/', pathNot: `^src/(${ground}|database|platform/jobs)/` },
    },
    {
      name: 'the-audit-log-knows-no-module',
      severity: 'error',
      from: { path: '^src/platform/audit/' },
      to: { path: '^src/', pathNot: `^src/(${ground}|database|platform/(jobs|audit))/` },
    },
    {
      name: 'tables-are-private-to-their-floor',
      severity: 'error',
      from: { path: '^src/((?:platform/)?[^/]+)', pathNot: '\\.entity\\.ts$' },
      to: {
        path: '^src/(?!store/|scanning/)(?:platform/)?[^/]+/.*\\.(repository|entity)\\.ts$',
        pathNot: '^src/$1/',
      },
    },
    {
      name: 'tables-of-modules-are-closed-to-all-else',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(store|scanning)/' },
      to: { path: `${modules}.*${tables}`, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'mail-knows-no-module',
      severity: 'error',
      from: { path: '^src/platform/mail/' },
      to: { path: '^src/', pathNot: `^src/(${ground}|database|platform/(jobs|mail))/` },
    },
    {
      name: 'deliveries-know-no-module',
      severity: 'error',
      from: { path: '^src/platform/delivery/' },
      to: { path: '^src/', pathNot: `^src/(${ground}|database|platform/(jobs|delivery))/` },
    },
    {
      name: 'folders-stand-below-the-app',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(cli/|main\\.ts$|app\\.module\\.ts$)' },
      to: { path: '^src/(cli/|[^/]+\\.ts$)' },
    },
    {
      name: 'backups-stand-on-the-embedded-server',
      severity: 'error',
      from: { path: '^src/cli/backup/' },
      to: { path: '^src/', pathNot: `^src/(${ground}|database|cli/backup)/` },
    },
    {
      name: 'distribution-stands-on-connections',
      severity: 'error',
      from: { path: '^src/database/distribution/' },
      to: { path: '^src/', pathNot: `^src/(${ground}|database/connections|database/distribution)/` },
    },
    {
      name: 'the-console-is-served-alone',
      severity: 'error',
      from: { path: '^src/platform/console/' },
      to: { path: '^src/', pathNot: '^src/(config|platform/(auth|cache|errors|http|net|console))/' },
    },
    {
      name: 'the-shop-front-is-served-alone',
      severity: 'error',
      from: { path: '^src/platform/storefront/' },
      to: { path: '^src/', pathNot: '^src/(config|platform/(auth|cache|http|net|storefront))/' },
    },
    {
      name: 'the-shop-front-stands-upon-the-sdk-alone',
      severity: 'error',
      from: { path: '^packages/storefront/' },
      to: { path: '^(src|packages|test|scripts)/', pathNot: '^packages/(storefront/|sdk/src/index\\.ts$)' },
    },
    {
      name: 'nothing-below-the-app-takes-from-the-demo',
      severity: 'error',
      from: { path: '^src/.+/', pathNot: '^src/(demo|cli|test-mode)/' },
      to: { path: '^(src/demo|packages/demo)/' },
    },
    {
      name: 'test-mode-is-loaded-by-the-ephemeral-start-alone',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(test-mode/|cli/ephemeral\\.ts$)' },
      to: { path: '^src/test-mode/' },
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
      from: {
        path: '^src/',
        pathNot: ['^src/(database|platform/jobs)/', '\\.(repository|statements)\\.ts$'],
      },
      to: { path: '^src/database/database\\.ts$' },
    },
    {
      name: 'database-packages-stay-in-repositories',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: ['^src/(database|platform/jobs)/', '\\.(repository|statements|entity)\\.ts$'],
      },
      to: { path: sqlPackages },
    },
    {
      name: 'tables-are-private-to-their-module',
      severity: 'error',
      from: { path: modules, pathNot: ['\\.entity\\.ts$', ...guests] },
      to: { path: `${modules}.*${tables}`, pathNot: '^src/$1/$2/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'deliveries-know-the-tables-of-workflows-alone',
      severity: 'error',
      from: { path: '^src/scanning/webhook-export/', pathNot: '\\.entity\\.ts$' },
      to: {
        path: `${modules}.*${tables}`,
        pathNot: '^src/scanning/(webhook-export|workflows)/',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'foreign-keys-lead-to-entities',
      severity: 'error',
      from: { path: '\\.entity\\.ts$' },
      to: { path: '\\.(repository|statements|mapper)\\.ts$' },
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
      name: 'nodemailer-in-the-mail-floor',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/platform/mail/' },
      to: { path: 'node_modules/nodemailer' },
    },
    {
      name: 'opentelemetry-in-the-files-that-say-so',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/platform/tracing/otel-' },
      to: { path: 'node_modules/@opentelemetry/' },
    },
    {
      name: 'stripe-is-loaded-where-it-is-set',
      comment: 'a shop that is paid otherwise does without its package',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: 'node_modules/stripe/', dependencyTypesNot: ['dynamic-import', 'type-only'] },
    },
    {
      name: 'tracing-is-loaded-where-it-is-set',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/platform/tracing/otel-' },
      to: { path: '^src/platform/tracing/otel-', dependencyTypesNot: ['dynamic-import'] },
    },
    {
      name: 'the-client-stands-upon-the-sdk-alone',
      severity: 'error',
      from: { path: '^packages/client/src/' },
      to: { path: '^(src|packages)/', pathNot: '^packages/(client/src/|sdk/src/index\\.ts$)' },
    },
    {
      name: 'the-client-starts-fast',
      severity: 'error',
      from: { path: '^packages/client/src/' },
      to: {
        path: 'node_modules/',
        pathNot: 'node_modules/(commander|@types/node|yaml|jq-wasm|undici|zod|@modelcontextprotocol/sdk)/',
      },
    },
    {
      name: 'the-client-loads-a-parser-when-it-parses',
      severity: 'error',
      from: { path: '^packages/client/src/' },
      to: {
        path: 'node_modules/(yaml|jq-wasm|undici)/',
        dependencyTypesNot: ['dynamic-import', 'type-only'],
      },
    },
    {
      name: 'the-service-knows-no-tests-bench-or-scripts',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(test|bench|scripts|simulation)/' },
    },
    {
      name: 'scripts-know-no-tests',
      severity: 'error',
      from: { path: '^scripts/', pathNot: '^scripts/(check-expressions|console-pictures|storefront-pictures)\\.mjs$' }, // which run what tests run
      to: { path: '^test/' },
    },
    {
      name: 'bench-and-tests-are-apart',
      severity: 'error',
      from: { path: '^(test|bench)/' },
      to: { path: '^(test|bench)/', pathNot: '^$1/' },
    },
    {
      name: 'the-simulation-knows-no-tests',
      severity: 'error',
      from: { path: '^simulation/' },
      to: { path: '^(test|bench|scripts)/' },
    },
    {
      name: 'the-model-knows-the-documents-alone',
      severity: 'error',
      from: { path: '^simulation/(model/|linearizability\\.ts$)' },
      to: {
        path: '^(src|packages|test|simulation)/',
        pathNot: '^simulation/(model/|history\\.ts$|linearizability\\.ts$)',
      },
    },
    {
      name: 'tests-of-the-client-know-the-client-alone',
      severity: 'error',
      from: { path: '^(test/client|packages/client/test)/' },
      to: { path: '^src/' },
    },
    {
      name: 'the-sdk-stands-alone',
      severity: 'error',
      from: { path: '^packages/sdk/' },
      to: { pathNot: '^packages/sdk/' },
    },
    {
      name: 'no-development-packages',
      severity: 'error',
      from: { path: '^(src|packages/(demo|embedded-postgres)/src)/' },
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
