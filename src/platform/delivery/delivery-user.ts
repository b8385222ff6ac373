import type { BodySource } from '../net/redirects.js';
import type { SealedParameters } from './signing-secrets.js';

/** The job of an attempt: the delivery, the sequence number of the job, and the worker. */
export interface DueJob {
  deliveryId: string;
  sequence: number;
  workerId: string;
}

/** A delivery whose next attempt is due. */
export interface DueDelivery {
  /** The `webhook-id` of a signed request, the same in each attempt. */
  messageId: string;
  /** The failed attempts since its creation or replay. */
  failures: number;
  /** Null if the receiver may get nothing: somebody disabled or deleted it. */
  receiver: { id: string; parameters: SealedParameters } | null;
  /** On whose behalf it is sent: each sender has a share of what this node sends at once. */
  sender: string;
  body: BodySource;
}

/** Who sends by deliveries: it knows their receivers and bodies, and the engine all else. */
export interface DeliveryUser {
  /** The task of the jobs that make an attempt. */
  readonly task: string;
  /** SQL that holds for a delivery `d` of this user. */
  readonly isOwn: string;
  /** SQL that holds where the receiver of a delivery, a row of this name, may get something. */
  maySend(delivery: string): string;
  /** The delivery with the due attempt, or null if it is settled or another job has it. */
  due(job: DueJob): Promise<DueDelivery | null>;
  /** Whether the receiver of a delivery may get something; it stays so to the end of the unit. */
  lockReceiver(deliveryId: string): Promise<boolean>;
  /** Records that a receiver took a delivery. */
  succeeded(receiverId: string, deliveryId: string): Promise<void>;
  /**
   * Records that an attempt failed, and whether it was the delivery's last; disables the receiver with a reason, or after
   * long failure.
   */
  failed(receiverId: string, reason: string | null, attempt: { deliveryId: string; isLast: boolean }): Promise<void>;
}
