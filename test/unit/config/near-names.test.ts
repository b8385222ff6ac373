import { describe, expect, it } from '@jest/globals';
import { EnvironmentReader } from '../../../src/config/environment-reader.js';
import { mistypedNames } from '../../../src/config/near-names.js';
import { loadSettings, SettingsError } from '../../../src/config/settings.js';

/** What a container of Kubernetes has of services around it, by the names of their applications. */
function kubernetes(...services: string[]): string {
  const parts = ['SERVICE_HOST', 'SERVICE_PORT', 'SERVICE_PORT_HTTP', 'PORT', 'PORT_80_TCP', 'PORT_80_TCP_ADDR'];
  return services.flatMap((service) => parts.map((part) => `${service}_${part}`)).join(' ');
}

/** The names that machines, shells, CI services and neighboring programs set. */
const ordinary: Record<string, string> = {
  'a shell': `HOME PATH PWD OLDPWD SHLVL SHELL USER LOGNAME LANG LANGUAGE LC_ALL LC_CTYPE TERM EDITOR VISUAL PAGER MAIL HOST
    HOSTNAME HOSTTYPE MACHTYPE OSTYPE DISPLAY TMPDIR TMP TEMP TZ LS_COLORS LESSOPEN LESSCLOSE COLORTERM NO_COLOR FORCE_COLOR
    SSH_AUTH_SOCK SSH_CLIENT SSH_CONNECTION SSH_TTY GPG_AGENT_INFO DBUS_SESSION_BUS_ADDRESS XDG_DATA_DIRS XDG_DATA_HOME
    XDG_CONFIG_DIRS XDG_CONFIG_HOME XDG_CACHE_HOME XDG_STATE_HOME XDG_RUNTIME_DIR XDG_SESSION_ID XDG_SESSION_TYPE SUDO_USER
    SUDO_COMMAND WAYLAND_DISPLAY XAUTHORITY DESKTOP_SESSION PORTAL http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY
    NO_PROXY ALL_PROXY`,
  Windows: `ALLUSERSPROFILE APPDATA COMMONPROGRAMFILES COMPUTERNAME COMSPEC HOMEDRIVE HOMEPATH LOCALAPPDATA LOGONSERVER
    NUMBER_OF_PROCESSORS OS PATHEXT PROCESSOR_ARCHITECTURE PROCESSOR_LEVEL PROGRAMDATA PROGRAMFILES PSMODULEPATH PUBLIC
    SESSIONNAME SYSTEMDRIVE SYSTEMROOT USERDOMAIN USERNAME USERPROFILE WINDIR DriverData`,
  'Node.js and npm': `NODE NODE_OPTIONS NODE_PATH NODE_DEBUG NODE_NO_WARNINGS NODE_EXTRA_CA_CERTS NODE_TLS_REJECT_UNAUTHORIZED
    NODE_VERSION NODE_HOME NODE_REPL_HISTORY NODE_AUTH_TOKEN NODENV_ROOT NODENV_VERSION NVM_DIR NVM_BIN NVM_INC NPM_TOKEN
    NPM_CONFIG_CACHE NPM_CONFIG_LOGLEVEL npm_command npm_execpath npm_lifecycle_event npm_lifecycle_script npm_node_execpath
    npm_package_json npm_package_name npm_package_version npm_config_user_agent INIT_CWD YARN_VERSION COREPACK_HOME
    UV_THREADPOOL_SIZE JEST_WORKER_ID VITEST DEBUG CI`,
  'GitHub Actions': `GITHUB_ACTION GITHUB_ACTIONS GITHUB_ACTOR GITHUB_API_URL GITHUB_BASE_REF GITHUB_ENV GITHUB_EVENT_NAME
    GITHUB_EVENT_PATH GITHUB_HEAD_REF GITHUB_JOB GITHUB_OUTPUT GITHUB_PATH GITHUB_REF GITHUB_REF_NAME GITHUB_REPOSITORY
    GITHUB_RUN_ID GITHUB_RUN_NUMBER GITHUB_SERVER_URL GITHUB_SHA GITHUB_STEP_SUMMARY GITHUB_TOKEN GITHUB_WORKFLOW
    GITHUB_WORKSPACE RUNNER_ARCH RUNNER_NAME RUNNER_OS RUNNER_TEMP RUNNER_TOOL_CACHE RUNNER_WORKSPACE RUNNER_ENVIRONMENT
    ACTIONS_RUNTIME_URL ACTIONS_RUNTIME_TOKEN ACTIONS_CACHE_URL ImageOS ImageVersion JAVA_HOME ANDROID_HOME GOROOT_1_22_X64
    CHROMEWEBDRIVER PIPX_HOME`,
  'GitLab, Jenkins and others': `GITLAB_CI CI_COMMIT_SHA CI_COMMIT_REF_NAME CI_JOB_ID CI_JOB_TOKEN CI_JOB_URL CI_PIPELINE_ID
    CI_PROJECT_DIR CI_PROJECT_NAME CI_REGISTRY CI_REGISTRY_USER CI_SERVER_URL CI_ENVIRONMENT_NAME JENKINS_URL JENKINS_HOME
    BUILD_ID BUILD_NUMBER BUILD_TAG BUILD_URL JOB_NAME WORKSPACE EXECUTOR_NUMBER TRAVIS CIRCLECI CIRCLE_SHA1 BITBUCKET_COMMIT
    BUILDKITE TEAMCITY_VERSION SYSTEM_TEAMPROJECT`,
  'Kubernetes and Docker': `container KUBERNETES_SERVICE_HOST KUBERNETES_SERVICE_PORT KUBERNETES_SERVICE_PORT_HTTPS
    KUBERNETES_PORT KUBERNETES_PORT_443_TCP_PROTO POD_NAME POD_NAMESPACE POD_IP NODE_NAME NODE_IP DOCKER_HOST
    DOCKER_CONTENT_TRUST COMPOSE_PROJECT_NAME ${kubernetes('STORE', 'STORE_SERVICE', 'SHOP', 'POSTGRES', 'DATABASE', 'SMTP', 'MAIL', 'REDIS', 'CONSOLE', 'DATA', 'DEMO', 'LOG', 'PUBLIC')}`,
  clouds: `AWS_REGION AWS_DEFAULT_REGION AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN AWS_PROFILE
    ECS_CONTAINER_METADATA_URI ECS_CONTAINER_METADATA_URI_V4 K_SERVICE K_REVISION K_CONFIGURATION GOOGLE_CLOUD_PROJECT
    GOOGLE_APPLICATION_CREDENTIALS GAE_ENV AZURE_CLIENT_ID WEBSITE_SITE_NAME WEBSITE_HOSTNAME DYNO HEROKU_APP_NAME
    RENDER_SERVICE_ID RENDER_EXTERNAL_URL RAILWAY_ENVIRONMENT FLY_APP_NAME FLY_REGION VERCEL VERCEL_URL`,
  systemd: `INVOCATION_ID JOURNAL_STREAM NOTIFY_SOCKET LISTEN_FDS LISTEN_PID MEMORY_PRESSURE_WATCH SYSTEMD_EXEC_PID
    MAINPID WATCHDOG_USEC CREDENTIALS_DIRECTORY STATE_DIRECTORY RUNTIME_DIRECTORY LOGS_DIRECTORY CACHE_DIRECTORY`,
  'PostgreSQL and its neighbours': `PGHOST PGPORT PGUSER PGPASSWORD PGDATABASE PGSSLMODE PGDATA POSTGRES_USER
    POSTGRES_PASSWORD POSTGRES_DB POSTGRES_HOST REDIS_URL RABBITMQ_URL MONGO_URL ELASTICSEARCH_URL SENTRY_DSN DD_AGENT_HOST
    DD_SERVICE NEW_RELIC_LICENSE_KEY STRIPE_SECRET_KEY MALLOC_MMAP_THRESHOLD_ MALLOC_ARENA_MAX LD_PRELOAD LD_LIBRARY_PATH`,
  OpenTelemetry: `OTEL_SDK_DISABLED OTEL_PROPAGATORS OTEL_LOG_LEVEL OTEL_TRACES_EXPORTER OTEL_METRICS_EXPORTER
    OTEL_LOGS_EXPORTER OTEL_EXPORTER_OTLP_TIMEOUT OTEL_EXPORTER_OTLP_COMPRESSION OTEL_EXPORTER_OTLP_INSECURE
    OTEL_EXPORTER_OTLP_CERTIFICATE OTEL_EXPORTER_OTLP_TRACES_ENDPOINT OTEL_EXPORTER_OTLP_TRACES_HEADERS
    OTEL_EXPORTER_OTLP_METRICS_ENDPOINT OTEL_BSP_SCHEDULE_DELAY OTEL_ATTRIBUTE_COUNT_LIMIT OTEL_NODE_RESOURCE_DETECTORS`,
  'the client and the tests': `STORE_API_URL STORE_API_KEY TEST_NODES TEST_LOG_SQL TEST_CITUS_URL TEST_RESPONSE_CACHE_MB
    UPDATE_SNAPSHOTS`,
};

function namesOfSettings(): ReadonlySet<string> {
  const names = new Set<string>();
  const environment = new Proxy<Record<string, string>>({}, { get: (_, name) => void names.add(String(name)) });
  loadSettings(environment);
  return names;
}

function problemsOf(environment: Record<string, string>): string {
  try {
    loadSettings(environment);
    return '';
  } catch (error) {
    if (error instanceof SettingsError) return error.message;
    throw error;
  }
}

describe('A variable of nearly the name of a setting', () => {
  it.each([
    ['ACESS_POLICY', 'ACCESS_POLICY'],
    ['ACCES_POLICY', 'ACCESS_POLICY'],
    ['ACCESS_POLICIY', 'ACCESS_POLICY'],
    ['access_policy', 'ACCESS_POLICY'],
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATABASE_ULR', 'DATABASE_URL'],
    ['NODE_EVN', 'NODE_ENV'],
    ['JWT_SECERT', 'JWT_SECRET'],
    ['ENCRYPTON_KEY', 'ENCRYPTION_KEY'],
    ['CORS_ORIGIN', 'CORS_ORIGINS'],
    ['PUBLIC_URI', 'PUBLIC_URL'],
    ['DEMO_DAT', 'DEMO_DATA'],
    ['OTEL_EXPORTER_OTLP_ENDPIONT', 'OTEL_EXPORTER_OTLP_ENDPOINT'],
  ])('%s stops the start, which names %s', (name, meant) => {
    expect(problemsOf({ [name]: 'x' })).toContain(`${name} is not a setting: write ${meant}`);
  });

  it('is found for each setting of more than one word, whichever letter is missing', () => {
    const settings = namesOfSettings();
    for (const name of settings) {
      if (!name.includes('_')) continue;
      for (let at = 1; at < name.length; at++) {
        const mistyped = name.slice(0, at) + name.slice(at + 1);
        if (settings.has(mistyped)) continue;
        expect([mistyped, mistypedNames({ [mistyped]: 'x' }, settings)]).toEqual([mistyped, [expect.any(String)]]);
      }
    }
  });

  it('is of no matter where it is empty, or where the setting itself is there', () => {
    expect(problemsOf({ ACESS_POLICY: ' ' })).toBe('');
    expect(problemsOf({ DATABASE_URI: 'x', DATABASE_URL: 'postgres://127.0.0.1/store' })).toBe('');
  });
});

describe('A name that others set', () => {
  it.each(Object.keys(ordinary))('of %s stops no start', (origin) => {
    const names = (ordinary[origin] ?? '').split(/\s+/);
    const environment = Object.fromEntries(names.map((name) => [name, 'x']));
    expect(mistypedNames(environment, namesOfSettings())).toEqual([]);
  });
});

describe('EnvironmentReader', () => {
  it('knows which names it was asked for', () => {
    const read = new EnvironmentReader({});
    read.text('ONE');
    read.flag('OTHER', true);
    expect([...read.names]).toEqual(['ONE', 'OTHER']);
  });
});
