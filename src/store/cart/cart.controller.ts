import { Body, Controller, Delete, Get, Param, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Bearer } from '../../platform/auth/access.js';
import { Caller, type CallerIdentity } from '../../platform/auth/caller.js';
import { Answers, Refuses } from '../../platform/http/answers.js';
import { IdempotencyKey, TakesIdempotencyKey } from '../../platform/http/idempotency-key.js';
import type { JsonText } from '../../platform/http/json-text.js';
import { CartMergeService } from './cart-merge.service.js';
import { CartService } from './cart.service.js';
import { Cart, CartAddItem, CartItemPath, CartMerge, CartMergeRequest, CartUpdateItem } from './cart.dto.js';

@ApiTags('cart')
@Controller('api/v1/cart/')
export class CartController {
  constructor(
    private readonly cart: CartService,
    private readonly merges: CartMergeService,
  ) {}

  @Get()
  @Bearer()
  @Answers(
    200,
    Cart,
    'Get your cart',
    'The lines in the order in which they were added, each with its product as it is now.',
  )
  get(@Caller() caller: CallerIdentity): Promise<JsonText<Cart>> {
    return this.cart.get(caller);
  }

  @Delete()
  @Bearer()
  @Answers(200, Cart, 'Empty your cart', 'Removes all lines, and returns the empty cart.')
  clear(@Caller() caller: CallerIdentity): Promise<JsonText<Cart>> {
    return this.cart.clear(caller);
  }

  @Post('add')
  @Bearer()
  @Answers(
    200,
    Cart,
    'Add a product to your cart',
    'If the cart already has the product, its quantity increases. More pieces than the stock, or more than 999, ' +
      'are a 409.',
  )
  @Refuses({ not_found: ['not_found'], conflict: ['insufficient_stock', 'quantity_too_large', 'cart_full'] })
  add(@Body() item: CartAddItem, @Caller() caller: CallerIdentity): Promise<JsonText<Cart>> {
    return this.cart.add(item, caller);
  }

  // Unspecified: how a cart from before the login gets into the account.
  @Post('merge')
  @Bearer()
  @TakesIdempotencyKey('merges')
  @Answers(
    200,
    CartMerge,
    'Merge the lines that a browser kept into your cart',
    'For what somebody put into a cart before they signed in. Quantities add up with those in the cart, and what does ' +
      'not fit is cut: the answer says so for each line. Send an `Idempotency-Key`, so that a repeated request adds ' +
      'nothing twice.',
  )
  @Refuses({ conflict: ['request_running'] })
  merge(
    @Body() { lines }: CartMergeRequest,
    @Caller() caller: CallerIdentity,
    @IdempotencyKey() key: string | null,
  ): Promise<JsonText<CartMerge>> {
    return this.merges.merge(lines, caller, key);
  }

  @Put('items/:item_id')
  @Bearer()
  @Answers(
    200,
    Cart,
    'Set the quantity of a line of your cart',
    'Replaces the quantity of one line, and returns the whole cart.',
  )
  @Refuses({ not_found: ['not_found'], conflict: ['insufficient_stock'] })
  setQuantity(
    @Param() { item_id }: CartItemPath,
    @Body() item: CartUpdateItem,
    @Caller() caller: CallerIdentity,
  ): Promise<JsonText<Cart>> {
    return this.cart.setQuantity(item_id, item, caller);
  }

  @Delete('items/:item_id')
  @Bearer()
  @Answers(200, Cart, 'Remove a line from your cart', 'Returns the cart without the line.')
  @Refuses({ not_found: ['not_found'] })
  removeLine(@Param() { item_id }: CartItemPath, @Caller() caller: CallerIdentity): Promise<JsonText<Cart>> {
    return this.cart.removeLine(item_id, caller);
  }
}
