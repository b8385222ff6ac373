import { Module } from '@nestjs/common';
import { OrganizationAuditController } from './organization-audit.controller.js';

/** The audit logs of organizations, as their admins read them. */
@Module({ controllers: [OrganizationAuditController] })
export class OrganizationAuditModule {}
