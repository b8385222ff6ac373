import { Global, Module } from '@nestjs/common';
import { ReplicaReads } from './replica-reads.js';
import { Searches } from './searches.js';

/** Reads that need not go to the primary, and the pool of searches. */
@Global()
@Module({ providers: [ReplicaReads, Searches], exports: [ReplicaReads, Searches] })
export class ReplicasModule {}
