import { Controller, Get, Header } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiTags } from '@nestjs/swagger';
import { Public } from '../../common/auth/access.js';
import { Answers, Refuses } from '../../common/http/answers.js';
import { Metrics } from '../../common/http/metrics.js';
import { HealthService } from './health.service.js';
import { Health, Readiness } from './health.shapes.js';

@ApiTags('health')
@Controller()
export class HealthController {
  constructor(
    private readonly health: HealthService,
    private readonly metrics: Metrics,
  ) {}

  @Get('health')
  @Public()
  @Answers(200, Health, 'Health check')
  check(): Promise<Health> {
    return this.health.check();
  }

  @Get('health/ready')
  @Public()
  @Answers(200, Readiness, 'Readiness for traffic')
  @Refuses({ unavailable: 'Not ready' })
  ready(): Promise<Readiness> {
    return this.health.ready();
  }

  @Get('metrics')
  @Public()
  @ApiExcludeEndpoint()
  @Header('Content-Type', 'text/plain; version=0.0.4; charset=utf-8')
  measured(): Promise<string> {
    return this.metrics.registry.metrics();
  }
}
