import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Bearer } from '../../platform/auth/access.js';
import { Caller, type CallerIdentity } from '../../platform/auth/caller.js';
import { Answers, Refuses } from '../../platform/http/answers.js';
import { Quote, QuoteRequest } from './quotes.dto.js';
import { QuotesService } from './quotes.service.js';

@ApiTags('orders')
@Controller('api/v1/orders')
export class QuotesController {
  constructor(private readonly quotes: QuotesService) {}

  // Unspecified: what an order would cost before it is placed.
  @Post('quote')
  @Bearer()
  @Answers(
    200,
    Quote,
    'Ask what a checkout of your cart would do',
    'The lines, the discount, what shipping costs, and the total, as the checkout with the same body would make them ' +
      'now; the address may be left out. It orders and reserves nothing. `problems` are the errors with which the ' +
      'checkout would be refused. A coupon code that there is not counts as a wrong one.',
  )
  @Refuses({ too_many_requests: ['rate_exceeded'] })
  quote(@Body() request: QuoteRequest, @Caller() caller: CallerIdentity): Promise<Quote> {
    return this.quotes.quote(request, caller);
  }
}
