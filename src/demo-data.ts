import type { NestExpressApplication } from '@nestjs/platform-express';
import { uuidV7 } from './common/crypto/uuid-v7.js';
import type { Settings } from './config/settings.js';
import type { ScanningDoor } from './database/demo/scanning/scanning-door.js';
import { FirstData } from './database/first-data.js';
import { assetUri } from './scanning/assets/asset-uri.js';
import { IntegrationSecrets } from './scanning/integrations/integration-secrets.js';
import { fingerprintOf, identityOf } from './scanning/issues/issue-identity.js';
import { hashApiKey, newApiKey, prefixOfApiKey } from './scanning/organizations/api-key.js';
import { attachmentText } from './scanning/scan-events/attachment-text.js';
import { EventPartitions } from './scanning/scan-events/event-partitions.service.js';
import { ActionSecrets } from './scanning/workflows/action-secrets.js';
import { UploadsService } from './store/uploads/uploads.service.js';

/** How the scanning wing's modules keep what is theirs, for the demo's loader below them. */
export function scanningDoor(app: NestExpressApplication): ScanningDoor {
  const [integrations, actions] = [app.get(IntegrationSecrets), app.get(ActionSecrets)];
  const partitions = app.get(EventPartitions);
  return {
    assetUri,
    issueIdentity: ({ assetId, name, test, targetUids }) =>
      identityOf({ assetId, name, securityTestUid: test, fingerprint: fingerprintOf(name, targetUids) }),
    attachmentText: (attachments) => attachmentText([...attachments]),
    sealIntegration: (id, parameters) => integrations.seal(id, parameters),
    sealAction: (id, parameters) => actions.seal(id, parameters),
    openTimes: (times) => partitions.prepare(times),
  };
}

/** Loads the demo data where they are wanted and never were. */
export async function loadDemo(app: NestExpressApplication): Promise<void> {
  const uploads = app.get(UploadsService);
  const savePicture = (filename: string, bytes: Buffer) => {
    const kind = filename.startsWith('demo-avatar-') ? 'avatar' : 'product';
    return uploads.saveGenerated(kind, filename, bytes);
  };
  await app.get(FirstData).loadOnce(savePicture, scanningDoor(app));
}

/**
 * Opens the demo's organization to the admins, once, and answers a key to it, which is shown this once; undefined where
 * there is no such demo, or it was opened before.
 */
export async function enterDemo(app: NestExpressApplication, settings: Settings): Promise<string | undefined> {
  if (settings.production || !settings.demoData) return undefined;
  const key = newApiKey();
  const kept = { id: uuidV7(), name: 'First start', prefix: prefixOfApiKey(key), hash: hashApiKey(key) };
  return (await app.get(FirstData).enterOnce(kept)) ? key : undefined;
}
