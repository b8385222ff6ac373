import { Body, Controller, Get, Patch } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AdminOnly } from '../../platform/auth/access.js';
import { PersonOnly } from '../../platform/auth/scopes.js';
import { Answers, Examples, Refuses } from '../../platform/http/answers.js';
import { IfMatch, TakesIfMatch, Versioned } from '../../platform/http/if-match.js';
import { ShopService } from '../shop/shop.service.js';
import { ShopSettings, ShopUpdate } from '../shop/shop.dto.js';

// Unspecified: how the shop itself is set up; an admin does it here, and the environment where no admin has.
@ApiTags('admin')
@Controller('api/v1/admin')
export class AdminShopController {
  constructor(private readonly shop: ShopService) {}

  @Get('shop')
  @AdminOnly()
  @PersonOnly()
  @Versioned()
  @Answers(
    200,
    ShopSettings,
    'Get the settings of the shop',
    'What admins have set; where a field is null, the one of `defaults` counts, or none.',
  )
  get(): Promise<ShopSettings> {
    return this.shop.getSettings();
  }

  @Patch('shop')
  @AdminOnly()
  @PersonOnly()
  @Answers(
    200,
    ShopSettings,
    'Change the settings of the shop',
    'Omitted fields stay as they are, null returns to the default, and `shipping_methods` replaces the whole list. The ' +
      'change counts at once, on every node and in the next mail. Amounts keep their numbers in another currency.',
  )
  @TakesIfMatch()
  @Refuses({ precondition_failed: ['changed_meanwhile'] })
  @Examples({ body: { contact_email: 'shop@example.com', address: '1 Harbour Road\nSpringfield' } })
  update(@Body() changes: ShopUpdate, @IfMatch() ifMatch: string | null): Promise<ShopSettings> {
    return this.shop.update(changes, ifMatch);
  }
}
