import { describe, expect, it } from '@jest/globals';
import { toTestimonial } from '../../../../src/store/testimonials/testimonials.mapper.js';
import type { TestimonialRow } from '../../../../src/store/testimonials/testimonials.repository.js';

const row: TestimonialRow = {
  id: 1,
  user_id: '9f6b0a5e-0f5e-4c59-9d5f-0d6f2d0d3c11',
  guest_name: null,
  guest_role: null,
  guest_avatar_url: null,
  content: 'Good',
  rating: 5,
  is_featured: false,
  created_at: new Date(0),
  answer: null,
  answered_at: null,
  username: 'ada',
  first_name: null,
  last_name: null,
  user_avatar_url: null,
};

describe('toTestimonial', () => {
  it.each([
    [{ first_name: 'Ada', last_name: 'Lovelace' }, 'Ada Lovelace'],
    [{ first_name: 'Ada' }, 'Ada'],
    [{ last_name: 'Lovelace' }, 'Lovelace'],
    [{ first_name: '', last_name: ' ' }, 'ada'],
    [{}, 'ada'],
    [{ first_name: 'Ada', guest_name: 'A. L.' }, 'A. L.'],
  ])('names the author of %j %s', (columns, name) => {
    expect(toTestimonial({ ...row, ...columns }).name).toBe(name);
  });

  it('reveals no more of the user than id and username', () => {
    const { user, ...rest } = toTestimonial({ ...row, first_name: 'Ada' });
    expect(user).toEqual({ id: row.user_id, username: 'ada' });
    expect(rest).not.toHaveProperty('first_name');
    expect(rest).not.toHaveProperty('username');
  });
});
