import { Controller, Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '../../platform/auth/access.js';
import { contentPolicy, pageHeaders } from '../../platform/http/page.js';
import { StreamedBody } from '../../platform/http/streamed-body.js';
import { validated } from '../../platform/validation/validated.js';
import { DemoChoice, PageLanguage, SessionPath } from './payments.dto.js';
import { PaymentPagesService } from './payment-pages.service.js';
import { type PaymentLanguage, paymentLanguages } from './payment-texts.js';

/** The language that the shop front says its visitor reads, or else the one that their browser likes best. */
function languageOf({ lang }: PageLanguage, request: Request): PaymentLanguage {
  const liked = lang ?? request.acceptsLanguages([...paymentLanguages]);
  return paymentLanguages.find((language) => language === liked) ?? 'en';
}

/** The pages about payments of the service itself: the demo's, and the one that customers come back to. */
@ApiExcludeController()
@Controller('payments')
export class PaymentPagesController {
  constructor(private readonly pages: PaymentPagesService) {}

  @Get('demo/:session_id')
  @Public()
  async demo(
    @Param() { session_id }: SessionPath,
    @Query() query: PageLanguage,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<string> {
    const { html, formTarget } = await this.pages.demo(session_id, languageOf(query, request));
    response.set({ ...pageHeaders, 'Content-Security-Policy': contentPolicy(formTarget) });
    return html;
  }

  @Post('demo/:session_id')
  @Public()
  @StreamedBody()
  async choose(
    @Param() { session_id }: SessionPath,
    @Query() query: PageLanguage,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { choice } = validated(DemoChoice, request.body, 'body');
    await this.pages.choose(session_id, choice);
    response
      .set('Cache-Control', 'no-store')
      .redirect(303, `/payments/${session_id}?lang=${languageOf(query, request)}`);
  }

  @Get(':session_id')
  @Public()
  async afterwards(
    @Param() { session_id }: SessionPath,
    @Query() query: PageLanguage,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const next = await this.pages.afterwards(session_id, languageOf(query, request));
    if ('redirect' in next) response.set('Cache-Control', 'no-store').redirect(303, next.redirect);
    else response.set(pageHeaders).send(next.html);
  }
}
