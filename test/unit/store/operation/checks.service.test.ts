import { once } from 'node:events';
import { createServer } from 'node:tls';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { loadSettings } from '../../../../src/config/settings.js';
import type { JobMetrics } from '../../../../src/platform/jobs/job-metrics.js';
import type { Mailer } from '../../../../src/platform/mail/mailer.js';
import type { BackupsService, BackupState } from '../../../../src/store/backups/backups.service.js';
import { ChecksService, type RequestWay } from '../../../../src/store/operation/checks.service.js';
import type { CheckName, OperationCheck } from '../../../../src/store/operation/operation.dto.js';
import type { DatabaseFacts, OperationRepository } from '../../../../src/store/operation/operation.repository.js';
import type { UploadsService } from '../../../../src/store/uploads/uploads.service.js';
import { certificateFor } from '../../platform/net/certificate.js';

interface World {
  env?: Record<string, string>;
  facts?: () => Promise<DatabaseFacts>;
  mail?: { isOn: boolean; check: () => Promise<void> };
  storage?: boolean;
  backup?: BackupState;
  way?: RequestWay;
}

/** What a check says in a world where all else is well. */
async function said(name: CheckName, world: World): Promise<OperationCheck | undefined> {
  const { env = {}, storage = true, backup = 'ok', way = null } = world;
  const { facts = () => Promise.resolve({ version: '18.0', now: new Date(), inTheOpen: false }) } = world;
  const { mail = { isOn: true, check: () => Promise.resolve() } } = world;
  const backups = { state: () => Promise.resolve(backup), newest: () => Promise.resolve([]) };
  const service = new ChecksService(
    { facts } as unknown as OperationRepository,
    { figures: () => Promise.resolve([]) } as unknown as JobMetrics,
    mail as unknown as Mailer,
    { storageResponds: () => Promise.resolve(storage) } as unknown as UploadsService,
    backups as unknown as BackupsService,
    loadSettings({ DATA_DIR: '/tmp', ...env }),
  );
  return (await service.all(way)).find((check) => check.name === name);
}

const failed = (message: string) =>
  expect.objectContaining({ state: 'failed', message: expect.stringContaining(message) });

describe('A check that fails', () => {
  it('says what to do: the database, its clock, the mail server, the storage', async () => {
    const facts = () => Promise.reject(new Error('The database is away'));
    expect(await said('database', { facts })).toEqual(failed('The database is away'));
    const slow = () => Promise.resolve({ version: '18.0', now: new Date(Date.now() - 60_000), inTheOpen: false });
    expect(await said('clock', { facts: slow })).toEqual(failed('s apart: let NTP set both'));
    const mail = { isOn: true, check: () => Promise.reject(new Error('535 Wrong password')) };
    expect(await said('mail', { mail })).toEqual(failed('(535 Wrong password): correct SMTP_URL'));
    expect(await said('mail', { mail: { ...mail, isOn: false } })).toMatchObject({ state: 'warning' });
    expect(await said('storage', { storage: false })).toEqual(failed('cannot be stored or read'));
  });

  it.each<[BackupState, string]>([
    ['ok', 'ok'],
    ['none', 'warning'],
    ['late', 'failed'],
    ['failed', 'failed'],
    ['off', 'off'],
  ])('is that of backups that are %s: %s', async (backup, state) => {
    expect(await said('backup', { backup })).toMatchObject({ state });
  });

  it("says of backups beside a database of one's own that its tools back that up", async () => {
    const message = expect.stringContaining('the tools of your database back up the rest');
    const env = { DATABASE_URL: 'postgres://store@db.internal/store' };
    expect(await said('backup', { env })).toMatchObject({ state: 'ok', message });
    expect(await said('backup', {})).not.toMatchObject({ message });
  });

  it('says what to look at where the address of the request is not known', async () => {
    const way = (ip: string) => ({ ip, isForwarded: false });
    const message = expect.stringContaining('look once from elsewhere');
    expect(await said('address', { way: way('unknown') })).toMatchObject({ state: 'warning', message });
    expect(await said('address', { way: way('203.0.113.9') })).toMatchObject({ state: 'ok' });
  });

  it('is that of a certificate which browsers refuse, or of an address without one', async () => {
    const server = createServer(certificateFor('localhost'));
    server.listen(0, 'localhost');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const at = (PUBLIC_URL: string) => said('certificate', { env: { PUBLIC_URL } });
    expect(await at(`https://localhost:${port}`)).toEqual(failed('is refused (DEPTH_ZERO_SELF_SIGNED_CERT): renew it'));
    expect(await at('http://shop.example.com')).toMatchObject({ state: 'warning' });
    server.close();
    await once(server, 'close');
    expect(await at(`https://localhost:${port}`)).toEqual(failed('cannot be reached from here'));
  });
});

describe('A connection that crosses a network', () => {
  it('is to be encrypted: to the database', async () => {
    const facts = () => Promise.resolve({ version: '18.0', now: new Date(), inTheOpen: true });
    const message = expect.stringContaining('sslmode=verify-full');
    expect(await said('database', { facts })).toMatchObject({ state: 'warning', message });
  });

  it.each([
    ['smtp://mail.example.com:25', 'warning'],
    ['smtps://mail.example.com:465', 'ok'],
    ['smtp://mail.example.com:587?requireTLS=true', 'ok'],
    ['smtp://127.0.0.1:25', 'ok'],
  ])('is to be encrypted: to the mail server %s, which is %s', async (SMTP_URL, state) => {
    expect(await said('mail', { env: { SMTP_URL, MAIL_FROM: 'shop@example.com' } })).toMatchObject({ state });
  });
});
