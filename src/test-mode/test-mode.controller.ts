import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request } from 'express';
import { Public } from '../platform/auth/access.js';
import { PayloadTooLarge } from '../platform/errors/errors.js';
import { StreamedBody } from '../platform/http/streamed-body.js';
import { ClockService } from './clock.service.js';
import { Faults } from './faults.js';
import { FixturesService } from './fixtures.service.js';
import { ReceivedWebhooks } from './received-webhooks.js';
import { TestAccountsService } from './test-accounts.service.js';
import * as dto from './test-mode.dto.js';
import { TestModeService } from './test-mode.service.js';
import * as rows from './test-rows.dto.js';
import { TestRowsService } from './test-rows.service.js';

/** The largest payload of a webhook is smaller. */
const maxBytes = 64 * 2 ** 20;

/** What suites do to an ephemeral service. No other service has these routes. */
@ApiExcludeController()
@Controller('test')
export class TestModeController {
  constructor(
    private readonly fixtures: FixturesService,
    private readonly clock: ClockService,
    private readonly testMode: TestModeService,
    private readonly rows: TestRowsService,
    private readonly accounts: TestAccountsService,
    private readonly faults: Faults,
    private readonly webhooks: ReceivedWebhooks,
  ) {}

  @Post('reset')
  @Public()
  @HttpCode(200)
  async reset(@Body() { seed }: dto.ResetRequest) {
    return { seed, restored_tables: await this.fixtures.reset(seed) };
  }

  @Get('clock')
  @Public()
  time() {
    return this.clock.state;
  }

  @Post('clock')
  @Public()
  @HttpCode(200)
  turn(@Body() turn: dto.ClockTurn) {
    return this.clock.turn(turn);
  }

  @Delete('clock')
  @Public()
  turnBack() {
    return this.clock.turn({});
  }

  @Get('mails')
  @Public()
  mails(@Query() { to }: dto.MailQuery) {
    return this.faults.mails.find(to);
  }

  @Delete('mails')
  @Public()
  @HttpCode(204)
  emptyMails(): void {
    this.faults.mails.empty();
  }

  @Post('totp')
  @Public()
  @HttpCode(200)
  code(@Body() { username }: dto.TotpRequest) {
    return this.testMode.codeOf(username);
  }

  @Post('users')
  @Public()
  makeUser(@Body() user: rows.TestUserCreate) {
    return this.accounts.make(user);
  }

  @Post('products')
  @Public()
  makeProduct(@Body() product: rows.TestProductCreate) {
    return this.rows.product(product);
  }

  @Post('coupons')
  @Public()
  makeCoupon(@Body() coupon: rows.TestCouponCreate) {
    return this.rows.coupon(coupon);
  }

  @Post('orders')
  @Public()
  makeOrder(@Body() order: rows.TestOrderCreate) {
    return this.rows.order(order);
  }

  @Get('faults')
  @Public()
  waitingFaults() {
    return this.faults.waiting;
  }

  @Post('faults')
  @Public()
  fail(@Body() fault: dto.FaultRequest) {
    this.faults.add(fault);
    return this.faults.waiting;
  }

  @Delete('faults')
  @Public()
  @HttpCode(204)
  endFaults(): void {
    this.faults.clear();
  }

  @Get('webhooks')
  @Public()
  received(@Query() { name }: dto.WebhookQuery) {
    return this.webhooks.find(name);
  }

  @Delete('webhooks')
  @Public()
  @HttpCode(204)
  forgetReceived(): void {
    this.webhooks.empty();
  }

  @Post('webhooks/:name')
  @Public()
  @StreamedBody()
  @HttpCode(204)
  async receive(@Param() { name }: dto.ReceiverPath, @Req() request: Request): Promise<void> {
    const pieces: Buffer[] = [];
    let bytes = 0;
    for await (const piece of request as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes > maxBytes) throw new PayloadTooLarge(`The receiver of test mode takes at most ${maxBytes} bytes`);
      pieces.push(piece);
    }
    const headers = Object.fromEntries(Object.entries(request.headers).map(([key, value]) => [key, String(value)]));
    this.webhooks.add({ name, at: new Date(), headers, body: Buffer.concat(pieces).toString() });
  }

  @Post('settle')
  @Public()
  @HttpCode(200)
  settle(@Body() { seconds }: dto.SettleRequest) {
    return this.testMode.settle(seconds);
  }
}
