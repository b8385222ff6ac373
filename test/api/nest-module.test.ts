import { mkdtemp, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import request from 'supertest';
import { DataSource } from 'typeorm';
import { createApp } from '../../src/app.js';
import { AppModule } from '../../src/app.module.js';
import { Settings } from '../../src/config/settings.js';
import { HealthService } from '../../src/store/health/health.service.js';
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

describe('createApp()', () => {
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
