import type { NestExpressApplication } from '@nestjs/platform-express';
import { type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { RequestHandler } from 'express';
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

/** The interface description with the demo's current ids in its examples; rebuilt only when they change. */
class LiveDocument {
  private json: string | undefined;
  private filled: { by: string; document: OpenAPIObject } | undefined;

  constructor(
    private readonly app: NestExpressApplication,
    private readonly publicUrl: string | undefined,
    private readonly findDemo: FindDemo,
  ) {}

  async get(): Promise<OpenAPIObject> {
    // Without the database the description still works; its examples then name no existing row.
    const demo = await this.findDemo().catch(() => null);
    const by = JSON.stringify(demo);
    if (this.filled?.by === by) return this.filled.document;
    this.json ??= describeApi(this.app, this.publicUrl).json;
    const document = JSON.parse(withDemoValues(this.json, demo?.values ?? {})) as OpenAPIObject;
    if (demo) document.info.description = introduction(demo.login);
    this.filled = { by, document };
    return document;
  }
}

const allowPage: RequestHandler = (_request, response, next) => {
  response.setHeader('Content-Security-Policy', pagePolicy);
  next();
};

/**
 * Serves the interface description at `/openapi.json`, and a page to read and try it at `/docs`. Its examples name the
 * rows that `findDemo` finds.
 */
export function serveDocs(app: NestExpressApplication, publicUrl: string | undefined, findDemo: FindDemo): void {
  const document = new LiveDocument(app, publicUrl, findDemo);
  app.use('/docs', allowPage);
  SwaggerModule.setup('docs', app, {} as OpenAPIObject, {
    jsonDocumentUrl: 'openapi.json',
    raw: ['json'],
    customSiteTitle: 'Store Service API',
    swaggerOptions: pageOptions,
    patchDocumentOnRequest: () => document.get(),
  });
}
