import { Body, Controller, Get, Param, Post, Query, StreamableFile } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { OrganizationAccess } from '../../platform/auth/access.js';
import { Member, type OrganizationCaller } from '../../platform/auth/organization-caller.js';
import { Answers, Examples, Refuses } from '../../platform/http/answers.js';
import { demo } from '../../platform/openapi/demo-values.js';
import { WorkflowPath } from '../workflows/workflows.dto.js';
import { DeliveriesService } from './deliveries.service.js';
import { Delivery, DeliveryFilter, DeliveryList, DeliveryPage, Replayed, ReplaySince } from './deliveries.dto.js';
import { ReplaysService } from './replays.service.js';

@ApiTags('deliveries')
@Controller('api/v1')
export class DeliveriesController {
  constructor(
    private readonly deliveries: DeliveriesService,
    private readonly replays: ReplaysService,
  ) {}

  @Get('deliveries')
  @OrganizationAccess('viewer')
  @Answers(
    200,
    DeliveryPage,
    'List the deliveries of all workflows',
    "Newest first, filtered by status, workflow and time, with the first 500 characters of each receiver's response.",
  )
  listAll(@Member() caller: OrganizationCaller, @Query() query: DeliveryList): Promise<DeliveryPage> {
    return this.deliveries.listAll(caller, query);
  }

  @Get('workflows/:id/deliveries')
  @OrganizationAccess('viewer')
  @Answers(
    200,
    DeliveryPage,
    'List the deliveries of a workflow',
    'Newest first, filtered by status and time, each with its attempts and the responses of the receiver.',
  )
  list(
    @Member() caller: OrganizationCaller,
    @Param() { id }: WorkflowPath,
    @Query() query: DeliveryFilter,
  ): Promise<DeliveryPage> {
    return this.deliveries.list(caller, id, query);
  }

  @Post('workflows/:id/deliveries/replay')
  @OrganizationAccess('admin')
  @Answers(
    202,
    Replayed,
    'Send exhausted or canceled deliveries again',
    'All deliveries of the workflow that ran out of attempts or were canceled since a time at most 14 days ago, ' +
      'such as the time when the receiver failed.',
  )
  @Examples({ body: { since: demo('yesterday') } })
  replayAll(
    @Member() caller: OrganizationCaller,
    @Param() { id }: WorkflowPath,
    @Body() given: ReplaySince,
  ): Promise<Replayed> {
    return this.replays.replayAll(caller, id, given);
  }

  @Get('deliveries/:id')
  @OrganizationAccess('viewer')
  @Answers(
    200,
    Delivery,
    'Get a delivery',
    'With its attempts: their time, duration and response, and when the next one is due.',
  )
  @Examples({ id: demo('delivery') })
  get(@Member() caller: OrganizationCaller, @Param() { id }: WorkflowPath): Promise<Delivery> {
    return this.deliveries.get(caller, id);
  }

  @Get('deliveries/:id/payload')
  @OrganizationAccess('admin')
  @Answers(
    200,
    Object,
    'Get the payload of a delivery',
    'The exact bytes that every attempt sends. Only admins may read them, since the default variant may contain ' +
      'credentials.',
  )
  @Refuses({ not_found: ['payload_gone'] })
  @Examples({ id: demo('delivery') })
  async payload(@Member() caller: OrganizationCaller, @Param() { id }: WorkflowPath): Promise<StreamableFile> {
    const { body, length } = await this.deliveries.payload(caller, id);
    return new StreamableFile(body, { type: 'application/json', length });
  }

  @Post('deliveries/:id/replay')
  @OrganizationAccess('admin')
  @Answers(
    202,
    undefined,
    'Send a delivery again',
    'A new series of attempts with the same bytes and the same `webhook-id`.',
  )
  @Refuses({
    not_found: ['payload_gone', 'action_gone'],
    conflict: ['action_disabled', 'workflow_disabled', 'under_way'],
  })
  @Examples({ id: demo('delivery') })
  replay(@Member() caller: OrganizationCaller, @Param() { id }: WorkflowPath): Promise<void> {
    return this.replays.replay(caller, id);
  }
}
