import type { DemoAttachment } from './events/demo-event.js';

/** What the demo needs of the scanning wing, which stands above the database: how its modules keep what is theirs. */
export interface ScanningDoor {
  assetUri(assetClass: string, address: string): string;
  issueIdentity(issue: { assetId: string; name: string; test: string; targetUids: string[] }): string;
  attachmentText(attachments: readonly DemoAttachment[]): string;
  sealIntegration(integrationId: string, parameters: Record<string, unknown>): string;
  sealAction(actionId: string, parameters: WebhookParameters): string;
  /** Sees to it that events of these times can be written. */
  openTimes(times: Date[]): Promise<void>;
}

export interface WebhookParameters {
  url: string;
  headers: { name: string; value: string }[];
  secret: string | null;
}
