import { timeOfUuidV7 } from '../../platform/crypto/uuid-v7.js';
import { Invalid } from '../../platform/errors/invalid.js';
import type { AttachmentType } from '../vocabulary.js';
import type { NewEvent } from './event-rows.js';
import type { AttachmentCreate, EventCreate } from './scan-event-append.dto.js';

const minutesAhead = 5;
const yearsBack = 10;

const partOf = { EXCHANGE: 'exchange', SNIPPET: 'snippet', SCREENSHOT: 'screenshot' } as const satisfies Record<
  AttachmentType,
  keyof AttachmentCreate
>;

/** The range of an event's time: from ten years ago to five minutes after `now`. */
export function boundsOfTime(now: Date): { earliest: Date; latest: Date } {
  const earliest = new Date(now);
  earliest.setUTCFullYear(earliest.getUTCFullYear() - yearsBack);
  return { earliest, latest: new Date(now.getTime() + minutesAhead * 60_000) };
}

function assertWithin(time: Date, field: string, { earliest, latest }: ReturnType<typeof boundsOfTime>): Date {
  if (time >= earliest && time <= latest) return time;
  const msg =
    `The time should be at most ${minutesAhead} minutes ahead and ${yearsBack} years back (got: ` +
    `${time.toISOString()})`;
  throw Invalid.at(['body', field], 'value_error', msg);
}

function timeOfId(id: string): Date {
  const time = /^[89ab]/i.test(id.slice(19)) ? timeOfUuidV7(id) : null;
  if (time) return time;
  throw Invalid.at(['body', 'id'], 'uuid_version', 'Input should be a UUID of version 7', id);
}

function timeOf({ id, createdAt }: EventCreate, bounds: ReturnType<typeof boundsOfTime>): Date | undefined {
  const given = createdAt === undefined ? undefined : new Date(createdAt.replace(' ', 'T'));
  if (id === undefined) return given && assertWithin(given, 'createdAt', bounds);
  const time = assertWithin(timeOfId(id), 'id', bounds);
  if (given === undefined || given.getTime() === time.getTime()) return time;
  const msg =
    `The createdAt of an event with an id should be the time in the id, ${time.toISOString()}: omit one ` +
    `of the two`;
  throw Invalid.at(['body', 'createdAt'], 'value_error', msg);
}

function assertPart(attachment: AttachmentCreate, at: number): void {
  const part = partOf[attachment.type];
  if (attachment[part] === undefined) {
    throw Invalid.at(
      ['body', 'attachments', at, part],
      'missing',
      `An attachment of type ${attachment.type} has a ${part}`,
    );
  }
  const other = Object.values(partOf).find((name) => name !== part && attachment[name] !== undefined);
  if (other === undefined) return;
  const msg = `An attachment of type ${attachment.type} has no ${other}`;
  throw Invalid.at(['body', 'attachments', at, other], 'value_error', msg);
}

/** Checks the rules between an event's fields; throws `Invalid`. */
export function readEvent(event: EventCreate, bounds: ReturnType<typeof boundsOfTime>): NewEvent {
  event.attachments.forEach(assertPart);
  const { title, description, level, stage, id, assetIds, issueIds, attachments } = event;
  const createdAt = timeOf(event, bounds);
  return {
    title,
    description,
    level,
    stage,
    attachments,
    ...(createdAt && { createdAt }),
    ...(id !== undefined && { id }),
    ...(assetIds && { assetIds }),
    ...(issueIds && { issueIds }),
  };
}
