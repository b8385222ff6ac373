import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Public } from '../../platform/auth/access.js';
import { Answers } from '../../platform/http/answers.js';
import { Cacheable } from '../../platform/cache/cacheable.js';
import { shopItself } from './shop-cache-tags.js';
import { ShopService } from './shop.service.js';
import { Shop } from './shop.dto.js';

@ApiTags('shop')
@Controller('api/v1')
export class ShopController {
  constructor(private readonly shop: ShopService) {}

  @Get('shop')
  @Public()
  @Cacheable(() => [shopItself])
  @Answers(
    200,
    Shop,
    'Get the shop itself',
    'Its name, currency and locale, how to reach it, how it ships and how it is paid. Under the hardened access ' +
      'policy, an order takes a method of this list, at its cost.',
  )
  get(): Promise<Shop> {
    return this.shop.get();
  }
}
