import { Module } from '@nestjs/common';
import { repositoriesOf } from '../../database/repositories.js';
import { NetModule } from '../../platform/net/net.module.js';
import { IssuesModule } from '../issues/issues.module.js';
import { EpssScoreEntity } from './epss-score.entity.js';
import { FeedBytes } from './feed-bytes.js';
import { KnownExploitedEntity } from './known-exploited.entity.js';
import { ThreatFeedEntity } from './threat-feed.entity.js';
import { ThreatFeedsRepository } from './threat-feeds.repository.js';
import { ThreatFeedsService } from './threat-feeds.service.js';

@Module({
  imports: [repositoriesOf([ThreatFeedEntity, EpssScoreEntity, KnownExploitedEntity]), NetModule, IssuesModule],
  providers: [ThreatFeedsService, ThreatFeedsRepository, FeedBytes],
})
export class ThreatFeedsModule {}
