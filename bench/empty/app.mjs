// The empty contestant of a start: a Nest application of one route on the same database, which imports nearly all packages that
// * the service imports at its start, as they are installed, and does nothing with most of them.
import 'reflect-metadata';
import '@nestjs/jwt';
import '@nestjs/passport';
import '@nestjs/swagger';
import '@node-rs/argon2';
import 'aws4fetch';
import 'cors';
import 'cron-parser';
import 'csv-parse/sync';
import 'entities';
import 'graphile-worker';
import 'helmet';
import 'ipaddr.js';
import 'lru-cache';
import 'passport-jwt';
import 'pino';
import 'prom-client';
import 'proxy-addr';
import 'qrcode';
import 'rate-limiter-flexible';
import 'sharp';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';

class HealthController {
  health() {
    return { status: 'ok' };
  }
}
Controller()(HealthController);
Get('health')(
  HealthController.prototype,
  'health',
  Object.getOwnPropertyDescriptor(HealthController.prototype, 'health'),
);

class AppModule {}
Module({
  imports: [TypeOrmModule.forRoot({ type: 'postgres', url: process.env['DATABASE_URL'] })],
  controllers: [HealthController],
})(AppModule);

const app = await NestFactory.create(AppModule, { logger: false });
app.enableShutdownHooks();
await app.listen(Number(process.env['PORT']), '127.0.0.1');
