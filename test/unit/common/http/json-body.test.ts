import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { ModulesContainer } from '@nestjs/core';
import type { Request } from 'express';
import { JsonBodies } from '../../../../src/common/http/json-body.js';
import { loadSettings } from '../../../../src/config/settings.js';

describe('A body', () => {
  it('is refused at once if its caller left before it was read', async () => {
    const request = new IncomingMessage(new Socket()) as Request;
    request.destroy();
    const bodies = new JsonBodies(loadSettings({}), new ModulesContainer());
    await expect(bodies.read(request)).rejects.toThrow('ended before its body did');
  });
});
