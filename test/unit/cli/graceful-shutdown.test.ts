import { EventEmitter } from 'node:events';
import { type Server, ServerResponse, IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { RequestsInFlight, drain } from '../../../src/cli/graceful-shutdown.js';

const shortSeconds = 0.001;

let isSending = false;
const goesOn = (): boolean => isSending;
afterEach(() => {
  isSending = false;
});

/** A node that receives requests more often than it checks for them, until the test ends or `times` times. */
function drainedNode(url: string, times = Infinity) {
  const server = new EventEmitter();
  const answers = new RequestsInFlight(server as Server);
  isSending = true;
  const send = async () => {
    for (let sent = 0; goesOn() && sent < times; sent++) {
      const request = Object.assign(new IncomingMessage(new Socket()), { url });
      server.emit('request', request, new ServerResponse(request));
      await sleep(10);
    }
  };
  const sending = send();
  let hasEnded = false;
  const ended = drain(answers, shortSeconds).then(() => (hasEnded = true));
  return { sending, ended, hasEnded: () => hasEnded };
}

describe('A node that drains', () => {
  it('serves beyond its drain time while requests come, and ends when they stop', async () => {
    const node = drainedNode('/api/v1/products/', 300);
    await node.sending;
    expect(node.hasEnded()).toBe(false);
    expect(await node.ended).toBe(true);
  });

  it('ends even while its health is checked', async () => {
    expect(await drainedNode('/health/ready').ended).toBe(true);
    expect(isSending).toBe(true);
  });

  it('ends eventually, even if requests still come', async () => {
    expect(await drainedNode('/api/v1/products/').ended).toBe(true);
    expect(isSending).toBe(true);
  });
});
