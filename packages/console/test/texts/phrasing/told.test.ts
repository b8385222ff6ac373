import { describe, expect, it } from '@jest/globals';
import { told } from '../../../src/texts/phrasing/told.js';

describe('told', () => {
  it('keeps a name unchanged that runs in the direction of its sentence', () => {
    expect(told`Delete ${'Oak stool'}?`).toBe('Delete Oak stool?');
  });

  it('isolates a name that runs from right to left, or would reverse what follows', () => {
    expect(told`Delete ${'مرحبا'}?`).toBe('Delete \u2068مرحبا\u2069?');
    expect(told`Delete ${'x\u202e'}?`).toBe('Delete \u2068x\u202e\u2069?');
  });
});
