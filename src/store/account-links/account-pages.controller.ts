import { Controller, Get, Post, Query, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '../../platform/auth/access.js';
import { answerTo } from '../../platform/errors/error-answer.js';
import { Invalid } from '../../platform/errors/invalid.js';
import { pageHeaders } from '../../platform/http/page.js';
import { StreamedBody } from '../../platform/http/streamed-body.js';
import { validated } from '../../platform/validation/validated.js';
import { ShopService } from '../shop/shop.service.js';
import { EmailConfirmation, LinkQuery, PasswordReset } from './account-links.dto.js';
import { asking, saying } from './account-page.js';
import { EmailConfirmationService } from './email-confirmation.service.js';
import { EmailUndoService } from './email-undo.service.js';
import { PasswordResetService } from './password-reset.service.js';

const confirming = { title: 'Confirm your address', action: 'confirm', button: 'Confirm' };
const undoing = { title: 'Restore your address', action: 'undo-email', button: 'Restore it and sign out everywhere' };
const resetting = { title: 'Set a new password', action: 'reset', button: 'Set the password', password: true };

/**
 * The pages that links in mails lead to, if the shop has none of its own. Opening a page changes nothing, since mail
 * programs and scanners follow links too; pressing its button does. The pages need neither scripts nor cookies.
 */
@ApiExcludeController()
@Controller('account')
export class AccountPagesController {
  constructor(
    private readonly confirmations: EmailConfirmationService,
    private readonly undos: EmailUndoService,
    private readonly resets: PasswordResetService,
    private readonly shop: ShopService,
  ) {}

  @Get('confirm')
  @Public()
  async confirmPage(@Query() { token }: LinkQuery, @Res({ passthrough: true }) response: Response): Promise<string> {
    response.set(pageHeaders);
    return asking(await this.shopName(), { ...confirming, token });
  }

  @Post('confirm')
  @Public()
  @StreamedBody()
  confirm(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<string> {
    return this.shown(request, response, confirming.title, async () => {
      const { token } = validated(EmailConfirmation, request.body, 'body');
      return (await this.confirmations.confirm(token)).message;
    });
  }

  @Get('undo-email')
  @Public()
  async undoPage(@Query() { token }: LinkQuery, @Res({ passthrough: true }) response: Response): Promise<string> {
    response.set(pageHeaders);
    return asking(await this.shopName(), { ...undoing, token });
  }

  @Post('undo-email')
  @Public()
  @StreamedBody()
  undo(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<string> {
    return this.shown(request, response, undoing.title, async () => {
      const { token } = validated(EmailConfirmation, request.body, 'body');
      return (await this.undos.undo(token)).message;
    });
  }

  @Get('reset')
  @Public()
  async resetPage(@Query() { token }: LinkQuery, @Res({ passthrough: true }) response: Response): Promise<string> {
    response.set(pageHeaders);
    return asking(await this.shopName(), { ...resetting, token });
  }

  @Post('reset')
  @Public()
  @StreamedBody()
  reset(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<string> {
    return this.shown(request, response, resetting.title, async () => {
      const reset = validated(PasswordReset, request.body, 'body');
      return (await this.resets.reset(reset, request.ip)).message;
    });
  }

  private async shopName(): Promise<string> {
    return (await this.shop.current()).name;
  }

  /** A page with the outcome of `work`; a refusal gives the page its sentence and its status. */
  private async shown(
    request: Request,
    response: Response,
    title: string,
    work: () => Promise<string>,
  ): Promise<string> {
    response.set(pageHeaders).status(200);
    try {
      return saying(await this.shopName(), title, `${await work()}.`);
    } catch (error) {
      const { status, headers } = answerTo(error, { method: request.method, path: request.path });
      if (status >= 500) throw error;
      response.set(headers).set(pageHeaders).status(status);
      const invalid = error instanceof Invalid;
      const sentence = invalid ? error.problems.map(({ msg }) => msg).join('; ') : (error as Error).message;
      const { token } = (request.body ?? {}) as { token?: unknown };
      // The same page lets the user correct a password that is too short.
      if (invalid && title === resetting.title && typeof token === 'string' && token.length <= 128) {
        return asking(await this.shopName(), { ...resetting, token, problem: `${sentence}.` });
      }
      return saying(await this.shopName(), title, `${sentence}.`);
    }
  }
}
