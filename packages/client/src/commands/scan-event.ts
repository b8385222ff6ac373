import type * as shapes from '../../../../src/scanning/scan-events/scan-events.dto.js';
import type { Wire } from '../wire.js';

export type ScanEvent = Wire<shapes.ScanEvent>;
export type ScanEventSummary = Wire<shapes.ScanEventSummary>;
export type EventAttachment = Wire<shapes.EventAttachment>;
export type EventArrivals = Wire<shapes.EventArrivals>;
export type Exchange = NonNullable<EventAttachment['exchange']>;
export type Screenshot = NonNullable<EventAttachment['screenshot']>;
