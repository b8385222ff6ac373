import { Body, Controller, Get, Param, Post, Query, StreamableFile } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { OrganizationAccess } from '../../common/auth/access.js';
import { Member, type OrganizationCaller } from '../../common/auth/organization-caller.js';
import { Answers, Refuses } from '../../common/http/answers.js';
import { CursorPaging } from '../../common/http/cursor.js';
import { WorkflowPath } from '../workflows/workflows.shapes.js';
import { DeliveriesService } from './deliveries.service.js';
import { Delivery, DeliveryPage, Replayed, ReplaySince } from './deliveries.shapes.js';

@ApiTags('deliveries')
@Controller('api/v1')
export class DeliveriesController {
  constructor(private readonly deliveries: DeliveriesService) {}

  @Get('workflows/:id/deliveries')
  @OrganizationAccess('viewer')
  @Answers(200, DeliveryPage, 'List the deliveries of a workflow with their attempts, newest first')
  list(
    @Member() caller: OrganizationCaller,
    @Param() { id }: WorkflowPath,
    @Query() paging: CursorPaging,
  ): Promise<DeliveryPage> {
    return this.deliveries.list(caller, id, paging);
  }

  @Post('workflows/:id/deliveries/replay')
  @OrganizationAccess('admin')
  @Answers(202, Replayed, 'Send again what was exhausted since a time')
  replayExhausted(
    @Member() caller: OrganizationCaller,
    @Param() { id }: WorkflowPath,
    @Body() { since }: ReplaySince,
  ): Promise<Replayed> {
    return this.deliveries.replayExhausted(caller, id, since);
  }

  @Get('deliveries/:id')
  @OrganizationAccess('viewer')
  @Answers(200, Delivery, 'Get a delivery with its attempts')
  get(@Member() caller: OrganizationCaller, @Param() { id }: WorkflowPath): Promise<Delivery> {
    return this.deliveries.get(caller, id);
  }

  @Get('deliveries/:id/payload')
  @OrganizationAccess('admin')
  @Answers(200, undefined, 'Get the very bytes that a delivery sends')
  async payload(@Member() caller: OrganizationCaller, @Param() { id }: WorkflowPath): Promise<StreamableFile> {
    const { body, length } = await this.deliveries.payload(caller, id);
    return new StreamableFile(body, { type: 'application/json', length });
  }

  @Post('deliveries/:id/replay')
  @OrganizationAccess('admin')
  @Answers(202, undefined, 'Send a delivery again, with the same id and bytes')
  @Refuses({ conflict: 'It is being sent at the moment, or its action is disabled' })
  replay(@Member() caller: OrganizationCaller, @Param() { id }: WorkflowPath): Promise<void> {
    return this.deliveries.replay(caller, id);
  }
}
