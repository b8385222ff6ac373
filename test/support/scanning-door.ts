import { SecretBox } from '../../src/common/crypto/secret-box.js';
import { Secrets } from '../../src/config/secrets.js';
import type { ScanningDoor } from '../../src/database/demo/scanning/scanning-door.js';
import { assetUri } from '../../src/scanning/assets/asset-uri.js';
import { IntegrationSecrets } from '../../src/scanning/integrations/integration-secrets.js';
import { fingerprintOf, identityOf } from '../../src/scanning/issues/issue-identity.js';
import { attachmentText } from '../../src/scanning/scan-events/attachment-text.js';
import { monthOf } from '../../src/scanning/scan-events/event-months.js';
import { ActionSecrets } from '../../src/scanning/workflows/action-secrets.js';
import type { AssetClass } from '../../src/scanning/vocabulary.js';
import type { TestDatabase } from './test-database.js';

/** The scanning wing's ways for the demo's loader, without a service around them. */
export function scanningDoor(database: TestDatabase): ScanningDoor {
  const box = new SecretBox(new Secrets('0'.repeat(64), Buffer.alloc(32, 7)));
  const [integrations, actions] = [new IntegrationSecrets(box), new ActionSecrets(box)];
  return {
    assetUri: (assetClass, address) => assetUri(assetClass as AssetClass, address),
    issueIdentity: ({ assetId, name, test, targetUids }) =>
      identityOf({ assetId, name, securityTestUid: test, fingerprint: fingerprintOf(name, targetUids) }),
    attachmentText: (attachments) => attachmentText([...attachments]),
    sealIntegration: (id, parameters) => integrations.seal(id, parameters),
    sealAction: (id, parameters) => actions.seal(id, parameters),
    openTimes: async (times) => {
      const months = new Map(times.map((time) => [monthOf(time).name, monthOf(time)]));
      for (const { name, from, to } of months.values()) {
        await database.rows(`CREATE TABLE ${name} PARTITION OF scan_events
          FOR VALUES FROM ('${from.toISOString()}') TO ('${to.toISOString()}')`);
      }
    },
  };
}
