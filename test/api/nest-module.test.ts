import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type ArgumentsHost,
  Body,
  type CanActivate,
  Controller,
  type ExceptionFilter,
  type ExecutionContext,
  ImATeapotException,
  type INestApplication,
  Post,
} from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { Expose } from 'class-transformer';
import { Contains, IsHexColor } from 'class-validator';
import type { Response } from 'express';
import request from 'supertest';
import { getRepositoryToken } from '@nestjs/typeorm';
import { DataSource, type Repository } from 'typeorm';
import { createApp } from '../../src/cli/app.js';
import { AppModule } from '../../src/app.module.js';
import { AccessGuard } from '../../src/platform/auth/access.guard.js';
import { Public } from '../../src/platform/auth/access.js';
import { listRoutes } from '../../src/platform/auth/route-list.js';
import { ErrorFilter } from '../../src/platform/http/error.filter.js';
import { makeLogger, serviceLogger } from '../../src/platform/http/request-log.js';
import { DtoValidationPipe } from '../../src/platform/validation/dto-validation.pipe.js';
import { IntegerField, StringField } from '../../src/platform/validation/fields.js';
import { Settings } from '../../src/config/settings.js';
import { JobRunner } from '../../src/platform/jobs/job-runner.js';
import { CouponEntity } from '../../src/store/coupons/coupon.entity.js';
import { CouponsRepository } from '../../src/store/coupons/coupons.repository.js';
import { CouponsService } from '../../src/store/coupons/coupons.service.js';
import { HealthService } from '../../src/store/health/health.service.js';
import { MetricsGuard } from '../../src/store/health/metrics.guard.js';
import { until } from '../support/receiver.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

// Tests an application as Nest's documentation does (https://docs.nestjs.com/fundamentals/testing), without this
// repository's own scenes, as an outside suite would.

let database: TestDatabase;
let dataDir: string;
const before = { ...process.env };
beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'store-nest-'));
  Object.assign(process.env, { ...database.env, DATA_DIR: dataDir, LOG_LEVEL: 'silent' });
});
afterAll(async () => {
  process.env = before;
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

let app: INestApplication<Server>;
let open = false;
afterEach(async () => {
  if (open) await app.close();
  open = false;
});

const newcomer = { username: 'grace', email: 'grace@example.com', password: 'correct-horse-7' };

async function initialized(module: TestingModule): Promise<INestApplication<Server>> {
  app = module.createNestApplication();
  open = true;
  return app.init();
}

describe('AppModule as it stands', () => {
  it('makes an application that works with supertest, with the settings of the environment', async () => {
    const module = await Test.createTestingModule({ imports: [AppModule] }).compile();
    const server = (await initialized(module)).getHttpServer();
    await request(server).post('/api/v1/auth/register').send(newcomer).expect(201);
    const { body } = await request(server).post('/api/v1/auth/login').send(newcomer).expect(200);
    const { access_token: token } = body as { access_token: string };
    await request(server).get('/api/v1/auth/me').auth(token, { type: 'bearer' }).expect(200);
    await request(server).get('/api/v1/products/').expect(200, []);
    expect(app.get(Settings).databaseUrl).toBe(database.env.DATABASE_URL);
  });

  it('reads and refuses bodies as the served application does, streamed ones included', async () => {
    const module = await Test.createTestingModule({ imports: [AppModule] }).compile();
    const server = (await initialized(module)).getHttpServer();
    const form = await request(server).post('/api/v1/auth/login').type('form').send(newcomer).expect(415);
    expect(form.body).toMatchObject({ code: 'unsupported_media_type' });
    const login = await request(server).post('/api/v1/auth/login').send(newcomer).expect(200);
    const { access_token: token } = login.body as { access_token: string };
    const ask = () => request.agent(server).auth(token, { type: 'bearer' });
    await ask().post('/api/v1/organizations').send({ name: 'Harbour' }).expect(201);
    const profile = { name: 'API', scannerKind: 'FRONTEND_DAST', type: 'REST' };
    const { body: application } = await ask().post('/api/v1/profiles').send(profile).expect(201);
    const scan = { applicationId: (application as { id: string }).id, kind: 'FRONTEND_DAST', status: 'RUNNING' };
    const { body: begun } = await ask().post('/api/v1/scans').send(scan).expect(201);
    const events = [{ title: 'Request sent', description: 'GET /', level: 'INFO', stage: 'EXECUTION' }];
    const appended = await ask()
      .post(`/api/v1/scans/${(begun as { id: string }).id}/events`)
      .send(events);
    expect(appended.status).toBe(201);
  });

  it('lets a provider be overridden', async () => {
    const module = await Test.createTestingModule({ imports: [AppModule] })
      .overrideProvider(HealthService)
      .useValue({ check: () => ({ status: 'as the test has it' }) })
      .compile();
    const { body } = await request((await initialized(module)).getHttpServer())
      .get('/health')
      .expect(200);
    expect(body).toEqual({ status: 'as the test has it' });
  });

  it('lets a service of a module be overridden', async () => {
    const module = await Test.createTestingModule({ imports: [AppModule] })
      .overrideProvider(CouponsService)
      .useValue({ available: () => Promise.resolve(['as the test has it']) })
      .compile();
    const { body } = await request((await initialized(module)).getHttpServer())
      .get('/api/v1/orders/coupons')
      .expect(200);
    expect(body).toEqual(['as the test has it']);
  });

  it('lets the repositories of a module be overridden, its own and that of TypeORM', async () => {
    const coupon = { id: 7, code: 'SPRING', discountPercent: 10, timesUsed: 0 };
    const row = { id: 7, code: 'SPRING', discount_percent: 10, fault: 'expired' };
    const module = await Test.createTestingModule({ imports: [AppModule] })
      .overrideProvider(CouponsRepository)
      .useValue({ stateByCode: () => Promise.resolve(row) })
      .overrideProvider(getRepositoryToken(CouponEntity))
      .useValue({ findOneBy: () => Promise.resolve(coupon) })
      .compile();
    const { body } = await request((await initialized(module)).getHttpServer())
      .get('/api/v1/orders/coupons/validate?code=spring')
      .expect(200);
    expect(body).toMatchObject({ code: 'SPRING', discount_percent: 10, is_valid: false });
    expect(await app.get<Repository<CouponEntity>>(getRepositoryToken(CouponEntity)).findOneBy({ id: 7 })).toBe(coupon);
  });

  it('says once that its jobs wait, and runs them when the runner is started', async () => {
    const lines: string[] = [];
    const module = await Test.createTestingModule({ imports: [AppModule] })
      .overrideProvider(serviceLogger)
      .useValue(makeLogger({ logLevel: 'warn', logFormat: 'json' }, { write: (line) => lines.push(line) }))
      .compile();
    const server = (await initialized(module)).getHttpServer();
    const told = () => lines.filter((line) => line.includes('app.get(JobRunner).start()'));
    expect(told()).toHaveLength(1);
    const mails = () => readdir(join(dataDir, 'mail')).catch(() => []);
    const lin = { username: 'lin', email: 'lin@example.com', password: 'correct-horse-7' };
    await request(server).post('/api/v1/auth/register').send(lin).expect(201);
    expect(await mails()).toEqual([]);
    app.get(JobRunner).start();
    await until(async () => (await mails()).some((name) => name.endsWith('.eml')), 'the mail to a newcomer');
    expect(told()).toHaveLength(1);
  });

  it('runs on the embedded server when the environment names no database', async () => {
    const { DATABASE_URL, DATABASE_URL_DIRECT, ...without } = process.env;
    process.env = { ...without, DATA_DIR: await mkdtemp(join(dataDir, 'embedded-')) };
    try {
      const module = await Test.createTestingModule({ imports: [AppModule] }).compile();
      const server = (await initialized(module)).getHttpServer();
      await request(server).post('/api/v1/auth/register').send(newcomer).expect(201);
      expect(app.get(Settings).databaseUrl).toBeUndefined();
    } finally {
      if (open) await app.close();
      open = false;
      process.env = { ...without, DATABASE_URL, ...(DATABASE_URL_DIRECT ? { DATABASE_URL_DIRECT } : {}) };
      process.env['DATA_DIR'] = dataDir;
    }
  });

  it('closes what it opened', async () => {
    const module = await Test.createTestingModule({ imports: [AppModule] }).compile();
    await initialized(module);
    await app.close();
    open = false;
    const mine = `SELECT application_name AS name FROM pg_stat_activity
                   WHERE datname = current_database() AND application_name LIKE 'store-service%'`;
    expect(app.get(DataSource).isInitialized).toBe(false);
    // A pooler keeps its own sessions.
    if (process.env['TEST_POOLER_URL'] === undefined) expect(await database.rows(mine)).toEqual([]);
  });
});

/** Refuses everything, with a status that no guard of ours gives. */
const closedToAll: CanActivate = {
  canActivate: () => {
    throw new ImATeapotException();
  },
};

/** The statuses of all routes for a request without a token and a body. */
async function statusesOfAllRoutes(server: Server): Promise<Map<string, number>> {
  const statuses = new Map<string, number>();
  for (const { method, path } of listRoutes(app)) {
    const address = path.replace(/:\w+/g, '1');
    const { status } =
      await request(server)[method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete'](address);
    statuses.set(`${method} ${path}`, status);
  }
  return statuses;
}

describe('The guards, the pipe and the filter of all routes', () => {
  it('are overridden in a test: every route asks the guard of the test, and no other', async () => {
    const module = await Test.createTestingModule({ imports: [AppModule] })
      .overrideProvider(AccessGuard)
      .useValue(closedToAll)
      .compile();
    const statuses = await statusesOfAllRoutes((await initialized(module)).getHttpServer());
    expect(statuses.size).toBeGreaterThan(150);
    expect([...statuses].filter(([, status]) => status !== 418)).toEqual([]);
  });

  it('are the real ones otherwise', async () => {
    const module = await Test.createTestingModule({ imports: [AppModule] }).compile();
    const server = (await initialized(module)).getHttpServer();
    const closed = listRoutes(app).filter(({ access }) => ['bearer', 'admin'].includes(access?.contract ?? 'admin'));
    const statuses = await statusesOfAllRoutes(server);
    expect([...statuses.values()]).not.toContain(418);
    const answered = closed.filter(({ method, path }) => statuses.get(`${method} ${path}`) !== 401);
    expect(answered.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });

  it('let in whom the guard of the test lets in', async () => {
    const module = await Test.createTestingModule({ imports: [AppModule] })
      .overrideProvider(AccessGuard)
      .useValue({
        canActivate: (context: ExecutionContext) => {
          Object.assign(context.switchToHttp().getRequest<object>(), { user: { id: randomUUID(), role: 'admin' } });
          return true;
        },
      })
      .compile();
    const server = (await initialized(module)).getHttpServer();
    await request(server).get('/api/v1/admin/users').expect(200);
  });

  it('can be replaced one by one: of a route, of bodies, of refusals', async () => {
    const refused: ExceptionFilter = {
      catch: (_: unknown, host: ArgumentsHost) => host.switchToHttp().getResponse<Response>().status(418).json('mine'),
    };
    const module = await Test.createTestingModule({ imports: [AppModule] })
      .overrideGuard(MetricsGuard)
      .useValue(closedToAll)
      .overrideProvider(DtoValidationPipe)
      .useValue({ transform: () => ({ id: 77 }) })
      .overrideProvider(ErrorFilter)
      .useValue(refused)
      .compile();
    const server = (await initialized(module)).getHttpServer();
    await request(server).get('/metrics').expect(418, '"mine"');
    await request(server).get('/api/v1/cart/').expect(418, '"mine"');
    await request(server).get('/health').expect(200);
  });
});

/** The names of the steps that Express takes beside the routes, in their order. Only those with a reason answer. */
const steps = [
  '<anonymous>', // CORS: it answers preflights
  '<anonymous>', // the log
  '<anonymous>', // the default headers
  '<anonymous>', // the limit of an address: it refuses
  '<anonymous>', // the pages of the shop front, at addresses that no route has
  'refuseDeclaredSize', // refuses
  'watch',
  'jsonParser', // refuses
  'urlencodedParser', // refuses
  'dropEmpty',
  'rememberRequest',
  '<anonymous>', // answers with the interface description
  'allowPage',
  'serveStatic', // answers with the files of Swagger UI
  '<anonymous>', // answers with the console's files
  'leadToConsole', // leads a browser from / to the console
  '<anonymous>', // Nest's answer where no route is
  '<anonymous>', // Nest's answer to errors
];

interface Layer {
  name: string;
  route?: { path: string; methods: Record<string, boolean> };
}

class Note {
  @StringField({ maxLength: 10 })
  @Contains('x', { message: 'Write an x' })
  text: string;
  @Expose()
  @IsHexColor({ message: 'Choose a color' })
  color: string;
  @IntegerField({ min: 1, default: 3, nullable: 'ignored' })
  stars: number;
}

@Controller('notes')
class NotesController {
  @Post()
  @Public()
  take(@Body() note: Note): { isNote: boolean; note: Note } {
    return { isNote: note instanceof Note, note };
  }
}

describe('A controller of your own', () => {
  it('has its bodies made by class-transformer and checked by class-validator, with the messages of your decorators', async () => {
    const module = await Test.createTestingModule({ imports: [AppModule], controllers: [NotesController] }).compile();
    const server = (await initialized(module)).getHttpServer();
    const ask = (body: object) => request(server).post('/notes').send(body);
    const good = await ask({ text: 'x', color: '#00f', stars: null, other: 1 });
    expect([good.status, good.body]).toEqual([201, { isNote: true, note: { text: 'x', color: '#00f', stars: 3 } }]);
    const bad = await ask({ text: 'abc', color: 'blue', stars: 0 });
    expect([bad.status, bad.body]).toEqual([
      422,
      {
        detail: [
          { loc: ['body', 'text'], type: 'value_error', msg: 'Write an x', input: 'abc' },
          {
            loc: ['body', 'stars'],
            type: 'greater_than_equal',
            msg: 'Input should be greater than or equal to 1',
            ctx: { ge: 1 },
            input: 0,
          },
          { loc: ['body', 'color'], type: 'value_error', msg: 'Choose a color', input: 'blue' },
        ],
      },
    ]);
  });
});

describe('createApp()', () => {
  it('has no way to a handler past the guards: Express leads to marked routes of Nest and to the page of the docs', async () => {
    app = await createApp();
    open = true;
    await app.init();
    const { router } = app.getHttpAdapter().getInstance() as { router: { stack: Layer[] } };
    const plainly = (path: string) => path.replace(/(.)\/$/, '$1');
    const routed = router.stack.flatMap(({ route }) =>
      route ? Object.keys(route.methods).map((method) => `${method.toUpperCase()} ${plainly(route.path)}`) : [],
    );
    const marked = listRoutes(app).filter(({ access }) => access);
    expect([...new Set(routed)].filter((route) => !/^GET \/docs(\/|$)/.test(route)).sort()).toEqual(
      [...new Set(marked.map(({ method, path }) => `${method} ${plainly(path)}`))].sort(),
    );
    expect(router.stack.filter(({ route }) => !route).map(({ name }) => name)).toEqual(steps);
  });

  it('makes the application as served: default headers, interface description, ETags of public reads', async () => {
    app = await createApp();
    open = true;
    await app.init();
    const server = app.getHttpServer();
    const { headers } = await request(server).get('/api/v1/products/').expect(200);
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', etag: expect.any(String) });
    await request(server).get('/api/v1/products/').set('If-None-Match', String(headers['etag'])).expect(304);
    await request(server).get('/openapi.json').expect(200);
  });
});
