import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AdminOnly } from '../../platform/auth/access.js';
import { PersonOnly } from '../../platform/auth/scopes.js';
import { Answers } from '../../platform/http/answers.js';
import { ShopAuditPage, ShopAuditQuery } from './admin-audit.dto.js';
import { ShopAuditService } from './shop-audit.service.js';

@ApiTags('admin')
@Controller('api/v1/admin')
export class AdminAuditController {
  constructor(private readonly audit: ShopAuditService) {}

  // Unspecified: whether an admin of the shop may read the logs of organizations. They are not members, so they may not.
  @Get('audit')
  @AdminOnly()
  @PersonOnly()
  @Answers(
    200,
    ShopAuditPage,
    'Read the audit log of the shop, newest first',
    'Who changed what, when and from where: products and prices, coupons, orders, accounts, roles, passwords and ' +
      'two-factor logins. An entry is written in the transaction of its change, cannot be changed, and holds no ' +
      'secrets.',
  )
  list(@Query() query: ShopAuditQuery): Promise<ShopAuditPage> {
    return this.audit.list(query);
  }
}
