import type { ApiClient } from './api-client.js';

interface Media {
  schema?: { properties?: Record<string, { format?: string }> };
  example?: unknown;
}

/** One operation as described in `/openapi.json`, examples included. */
export interface DocumentedOperation {
  name: string;
  method: string;
  path: string;
  security: Record<string, string[]>[];
  parameters: { name: string; in: string; example?: unknown }[];
  body: Record<string, Media> | undefined;
  success: number;
  adminOnly: boolean;
}

interface Documented {
  security?: Record<string, string[]>[];
  parameters?: DocumentedOperation['parameters'];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { $ref?: string; content?: Record<string, { examples?: object }> }>;
}

const sharedAdminOnly = '#/components/responses/AdminOnly';

/** The operations currently in `/openapi.json`, keyed like "POST /api/v1/auth/login". */
export async function documentedOperations(api: ApiClient): Promise<Map<string, DocumentedOperation>> {
  const { body } = await api.get<{ paths: Record<string, Record<string, Documented>> }>('/openapi.json');
  const operations = Object.entries(body.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): [string, DocumentedOperation] => {
      const { security = [], parameters = [], requestBody, responses } = operation;
      const forbidden = responses['403'];
      const codes = Object.keys(forbidden?.content?.['application/json']?.examples ?? {});
      const name = `${method.toUpperCase()} ${path}`;
      return [
        name,
        {
          name,
          method: method.toUpperCase(),
          path,
          security,
          parameters,
          body: requestBody?.content,
          success: Number(Object.keys(responses).findLast((status) => status.startsWith('2'))),
          adminOnly: forbidden?.$ref === sharedAdminOnly || (codes.includes('admin_only') && path.includes('/admin/')),
        },
      ];
    }),
  );
  return new Map(operations);
}

/** The URL path of an operation, filled in with the examples of its parameters. */
export function exampleAddress({ path, parameters }: DocumentedOperation): string {
  const given = parameters.filter(({ example }) => example !== undefined);
  const inPath = given.filter((one) => one.in === 'path');
  const inQuery = given.filter((one) => one.in === 'query');
  const filled = inPath.reduce(
    (address, { name, example }) => address.replace(`{${name}}`, encodeURIComponent(String(example))),
    path,
  );
  const query = inQuery.map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`).join('&');
  return query === '' ? filled : `${filled}?${query}`;
}
