import { Module } from '@nestjs/common';
import { DirectRequests } from './direct-requests.js';

/** The way of plain requests to the routes that are asked most. */
@Module({ providers: [DirectRequests] })
export class DirectRoutesModule {}
