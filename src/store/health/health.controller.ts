import { Controller, Get, Header, Query, UseGuards } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiTags } from '@nestjs/swagger';
import { Public } from '../../platform/auth/access.js';
import { Answers, Refuses } from '../../platform/http/answers.js';
import { Metrics } from '../../platform/http/metrics.js';
import { HealthService } from './health.service.js';
import { Health, Readiness, ReadinessQuery } from './health.dto.js';
import { MetricsGuard } from './metrics.guard.js';

@ApiTags('health')
@Controller()
export class HealthController {
  constructor(
    private readonly health: HealthService,
    private readonly metrics: Metrics,
  ) {}

  @Get('health')
  @Public()
  @Answers(
    200,
    Health,
    'Health check',
    'Says that the process is alive, and whether it reaches its database. It is 200 either way, so that a node is ' +
      'not restarted because of its database.',
  )
  check(): Promise<Health> {
    return this.health.check();
  }

  @Get('health/ready')
  @Public()
  @Answers(
    200,
    Readiness,
    'Readiness for traffic',
    'Says whether this node should get traffic: it is 503 while the database is unreachable or the node is ' +
      'stopping. It stays 200 while only the storage of pictures is unreachable, since everything else works.',
  )
  @Refuses({ unavailable: ['stopping', 'database_unavailable'] })
  ready(@Query() { verbose }: ReadinessQuery): Promise<Readiness> {
    return this.health.ready(verbose !== undefined && verbose !== 'false');
  }

  @Get('metrics')
  @Public()
  @UseGuards(MetricsGuard)
  @ApiExcludeEndpoint()
  @Header('Content-Type', 'text/plain; version=0.0.4; charset=utf-8')
  measured(): Promise<string> {
    return this.metrics.registry.metrics();
  }
}
