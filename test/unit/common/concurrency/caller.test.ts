import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { releaseAfter } from '../../../../src/common/concurrency/caller.js';

const most = 60_000;

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** A response as far as it is looked at, and how often its work was released. */
function responseOfTest(closed = false) {
  const parts = { closed, writableEnded: false, end: jest.fn() };
  const response = Object.assign(new EventEmitter(), parts) as unknown as ServerResponse;
  const release = jest.fn();
  releaseAfter(response, release, most);
  const close = (writableEnded: boolean) => {
    Object.assign(response, { writableEnded });
    response.emit('close');
  };
  return { response, end: parts.end, release, close };
}

describe('The work for a response', () => {
  it('is over when the response is complete', () => {
    const { response, end, release, close } = responseOfTest();
    response.end();
    expect(release).not.toHaveBeenCalled();
    close(true);
    expect(release).toHaveBeenCalledTimes(1);
    expect(end).toHaveBeenCalledTimes(1);
  });

  it('is over when it would have been sent to a caller who hung up', () => {
    const { response, end, release, close } = responseOfTest();
    close(false);
    expect(release).not.toHaveBeenCalled();
    response.end('body', 'utf8');
    expect(release).toHaveBeenCalledTimes(1);
    expect(end).toHaveBeenCalledWith('body', 'utf8');
    expect(jest.getTimerCount()).toBe(0);
  });

  it('is over when it would have been sent to a caller who had hung up before it began', () => {
    const { response, release } = responseOfTest(true);
    expect(release).not.toHaveBeenCalled();
    response.end();
    expect(release).toHaveBeenCalledTimes(1);
  });

  it('is taken to be over some time after its caller hung up, where it never is', () => {
    const { release, close } = responseOfTest();
    close(false);
    jest.advanceTimersByTime(most - 1);
    expect(release).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1);
    expect(release).toHaveBeenCalledTimes(1);
  });
});
