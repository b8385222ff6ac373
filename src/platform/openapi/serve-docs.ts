import type { NestExpressApplication } from '@nestjs/platform-express';
import { type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { RequestHandler } from 'express';
import type { Settings } from '../../config/settings.js';
import { etagOf } from '../http/entity-tag.js';
import { type FindDemo, withDemoValues } from './demo-values.js';
import { describeApi } from './describe-api.js';
import { introduction } from './introduction.js';

/** Swagger UI styles its page inline; its scripts are files. No other answer of the service allows as much. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The page's options: operations folded, with a box to filter them by tag, ready to be tried. */
const pageOptions = {
  docExpansion: 'none',
  filter: true,
  tryItOutEnabled: true,
  persistAuthorization: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
};

interface Description {
  document: OpenAPIObject;
  bytes: Buffer;
  etag: string;
}

/** The interface description with the demo's current ids in its examples; rebuilt only when they change. */
class LiveDocument {
  private json: string | undefined;
  private filled: { by: string; description: Description } | undefined;

  constructor(
    private readonly app: NestExpressApplication,
    private readonly publicUrl: string | undefined,
    private readonly findDemo: FindDemo,
  ) {}

  async get(): Promise<Description> {
    // Without the database the description still works; its examples then name no existing row.
    const demo = await this.findDemo().catch(() => null);
    const by = JSON.stringify(demo);
    if (this.filled?.by === by) return this.filled.description;
    this.json ??= describeApi(this.app, this.publicUrl).json;
    const document = JSON.parse(withDemoValues(this.json, demo?.values ?? {})) as OpenAPIObject;
    if (demo) document.info.description = introduction(demo.login);
    const bytes = Buffer.from(JSON.stringify(document));
    const description = { document, bytes, etag: etagOf(bytes) };
    this.filled = { by, description };
    return description;
  }
}

const allowPage: RequestHandler = (_request, response, next) => {
  response.setHeader('Content-Security-Policy', pagePolicy);
  response.setHeader('Cache-Control', 'no-cache');
  next();
};

/** Responds with the description as it is in memory, or with a 304 to a caller who has it. */
function jsonHandler(live: LiveDocument): RequestHandler {
  return async (request, response, next) => {
    if (request.path !== '/' || !['GET', 'HEAD'].includes(request.method)) return next();
    const { bytes, etag } = await live.get();
    response.set({ 'Cache-Control': 'no-cache', 'Content-Type': 'application/json; charset=utf-8', ETag: etag });
    if (request.fresh) response.status(304).end();
    else response.end(request.method === 'HEAD' ? undefined : bytes);
  };
}

/**
 * Serves the interface description at `/openapi.json`, and, where settings say so, a page to read and try it at `/docs`. Its
 * examples name the rows that `findDemo` finds.
 */
export function serveDocs(app: NestExpressApplication, { publicUrl, docs }: Settings, findDemo: FindDemo): void {
  const live = new LiveDocument(app, publicUrl, findDemo);
  app.use('/openapi.json', jsonHandler(live));
  if (!docs) return;
  app.use('/docs', allowPage);
  SwaggerModule.setup('docs', app, {} as OpenAPIObject, {
    raw: false,
    customSiteTitle: 'Store Service API',
    swaggerOptions: pageOptions,
    patchDocumentOnRequest: async () => (await live.get()).document,
  });
}
