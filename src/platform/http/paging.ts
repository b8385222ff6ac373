import { IntegerField } from '../validation/fields.js';

/** The paging of public lists in the interface description: `skip` from 0, `limit` 1 to 100. */
export class Paging {
  @IntegerField({ min: 0, default: 0, description: 'The number of entries to skip' })
  skip: number;
  @IntegerField({ min: 1, max: 100, default: 10, description: 'The maximum number of entries' })
  limit: number;
}

/** The paging of the administration's lists, whose bounds the interface description does not declare. */
export class AdminPaging {
  // Unspecified: bounds. Values beyond ours are clamped, so that no call fails.
  @IntegerField({ min: 0, clamp: true, default: 0, description: 'The number of entries to skip' })
  skip: number;
  @IntegerField({
    min: 0,
    max: 1000,
    clamp: true,
    default: 100,
    description: 'The number of entries, at most 1000',
  })
  limit: number;
}
