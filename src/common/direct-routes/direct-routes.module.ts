import { Module } from '@nestjs/common';
import { DirectAnswers } from './direct-answers.js';
import { DirectRequests } from './direct-requests.js';

/** Handles plain requests to the busiest routes. */
@Module({ providers: [DirectRequests, DirectAnswers] })
export class DirectRoutesModule {}
