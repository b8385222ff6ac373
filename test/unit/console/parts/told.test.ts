import { describe, expect, it } from '@jest/globals';
import { told } from '../../../../console/src/parts/told.js';

describe('told', () => {
  it('leaves a name as it is that goes the way of its sentence', () => {
    expect(told`Delete ${'Oak stool'}?`).toBe('Delete Oak stool?');
  });

  it('isolates a name that goes from right to left, or turns what follows it', () => {
    expect(told`Delete ${'مرحبا'}?`).toBe('Delete \u2068مرحبا\u2069?');
    expect(told`Delete ${'x\u202e'}?`).toBe('Delete \u2068x\u202e\u2069?');
  });
});
