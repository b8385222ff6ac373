import { beforeEach, describe, expect, it } from '@jest/globals';
import { broken, Story } from '../story.js';

const description = {
  paths: {
    '/api/v1/tags/{id}': {
      get: {
        responses: {
          200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Tag' } } } },
          404: {},
        },
      },
    },
  },
  components: {
    schemas: {
      Tag: {
        type: 'object',
        required: ['id', 'name'],
        properties: { id: { type: 'string' }, name: { type: 'string' }, color: { type: ['string', 'null'] } },
      },
      ErrorCode: { type: 'string', enum: ['not_found', 'database_unavailable', 'busy'] },
    },
  },
};

let story: Story;
beforeEach(() => {
  story = new Story().atEnd('/openapi.json', description);
});

function get(status: number, body: Record<string, unknown>): number {
  return story.ask('GET', '/tags/t', {}, status, body);
}

describe('answers', () => {
  it('are as they are described', async () => {
    get(200, { id: 't', name: 'Web', color: null });
    get(404, { detail: 'There is no such tag.', code: 'not_found' });
    get(422, { detail: [{ loc: ['path', 'id'], msg: 'Input should be a valid UUID', type: 'uuid_parsing' }] });
    get(503, { detail: 'Try again.', code: 'busy' });
    expect((await story.judged()).map(({ rule }) => rule)).toEqual(['answers/documented']);
  });

  it.each([
    ['answers/no-500', 500, { detail: 'Something went wrong.', code: 'busy' }],
    ['answers/available', 503, { detail: 'Try again.', code: 'database_unavailable' }],
    ['answers/error', 404, { detail: 'There is no such tag.', code: 'gone' }],
    ['answers/error', 404, { message: 'Not Found' }],
    ['answers/body', 200, { id: 't' }],
    ['answers/body', 200, { id: 't', name: 7 }],
    ['answers/documented', 418, { detail: 'A teapot.', code: 'busy' }],
  ])('finds what breaks %s', async (rule, status, body) => {
    const n = get(status, body);
    expect(broken(await story.judged())).toContainEqual([rule, n]);
  });

  it('may be a 503 once something was broken', async () => {
    story.fault('the database was stopped');
    get(503, { detail: 'Try again.', code: 'database_unavailable' });
    expect(await story.judged()).toEqual([]);
  });

  it('say what is wrong with a body', async () => {
    get(200, { id: 't', name: 7 });
    expect((await story.judged())[0]!.message).toBe(
      'GET /tags/t should be answered as described: the body.name should be string, and is 7',
    );
  });
});
