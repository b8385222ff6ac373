import { Module } from '@nestjs/common';
import { DirectAnswers } from './direct-answers.js';
import { DirectRequests } from './direct-requests.js';

/** The way of plain requests to the routes that are asked most. */
@Module({ providers: [DirectRequests, DirectAnswers] })
export class DirectRoutesModule {}
