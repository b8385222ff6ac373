import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import {
  Controller,
  Get,
  Header,
  HttpCode,
  type INestApplicationContext,
  Module,
  Param,
  type Provider,
  Query,
  Redirect,
  type Type,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
  Version,
} from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR, APP_PIPE, DiscoveryModule, NestFactory } from '@nestjs/core';
import { Bearer, Public } from '../../../../src/platform/auth/access.js';
import { Invalid } from '../../../../src/platform/errors/invalid.js';
import { CountsTotal } from '../../../../src/platform/http/total-count.js';
import { Cacheable } from '../../../../src/platform/cache/cacheable.js';
import { CacheableRoutes } from '../../../../src/platform/cache/cacheable-routes.js';
import { IntegerField, StringField } from '../../../../src/platform/validation/fields.js';

class Place {
  @StringField({ maxLength: 20 })
  name: string;
}
class Page {
  @IntegerField({ min: 1, default: 10 })
  limit: number;
}

@Controller('things')
class Things {
  @Get('/')
  @Public()
  @Cacheable((_, __, { limit }) => [`limit ${String(limit)}`])
  list(@Query() { limit }: Page): Promise<unknown> {
    return Promise.resolve({ limit });
  }

  @Get('mine')
  @Bearer()
  mine(): string {
    return 'mine';
  }

  @Get(':name')
  @Public()
  @Cacheable((_, { name }) => [`thing ${String(name)}`])
  get(@Query() { limit }: Page, @Param() { name }: Place): Promise<unknown> {
    return Promise.resolve({ name, limit });
  }

  @Get(':name/:other')
  @Public()
  both(): string {
    return 'both';
  }
}

async function routesOf(controller: Type, providers: Provider[] = []): Promise<CacheableRoutes> {
  @Module({ imports: [DiscoveryModule], controllers: [controller], providers })
  class TestModule {}
  const options = { logger: false, abortOnError: false } as const;
  const app: INestApplicationContext = await NestFactory.createApplicationContext(TestModule, options);
  return new CacheableRoutes(app);
}

describe('CacheableRoutes', () => {
  it.each([
    ['/things/', '/things', { limit: 10 }, 'limit undefined'],
    ['/things?limit=3', '/things', { limit: 3 }, 'limit 3'],
    ['/THINGS/', '/things', { limit: 10 }, 'limit undefined'],
    ['/things/a', '/things/:name', { name: 'a', limit: 10 }, 'thing a'],
    ['/Things/A/?limit=2', '/things/:name', { name: 'A', limit: 2 }, 'thing A'],
    ['/things/a%20%C3%A9%2Fb', '/things/:name', { name: 'a é/b', limit: 10 }, 'thing a é/b'],
  ])('maps %s to %s', async (url, route, value, cacheTag) => {
    const read = (await routesOf(Things)).find(url);
    expect(read?.route).toBe(route);
    expect(await read?.compute()).toEqual({ value, cacheTags: [cacheTag] });
  });

  it.each(['/', '/thing', '/things/mine', '/things/Mine/', '/things/a/b', '/things//', '/things/a#b', 'things/a'])(
    'leaves %s to Express',
    async (url) => {
      expect((await routesOf(Things)).find(url)).toBeUndefined();
    },
  );

  it.each([
    ['/things/%ff', URIError],
    ['/things/%', URIError],
    ['/things/?limit=0', Invalid],
    ['/things/?limit=many', Invalid],
    [`/things/${'x'.repeat(21)}`, Invalid],
  ])('refuses %s', async (url, kind) => {
    await expect((await routesOf(Things)).find(url)?.compute()).rejects.toBeInstanceOf(kind);
  });

  it('refuses a route that is not public', async () => {
    @Controller('things')
    class Closed {
      @Get('/')
      @Bearer()
      @Cacheable(() => [])
      list(): Promise<unknown> {
        return Promise.resolve([]);
      }
    }
    await expect(routesOf(Closed)).rejects.toThrow('Closed.list is cacheable but not public');
  });

  it('refuses a route whose response may depend on more than its URL', async () => {
    @Controller('things')
    class Odd {
      @Get(':name')
      @Public()
      @Cacheable(() => [])
      get(@Param('name') name: string): Promise<unknown> {
        return Promise.resolve(name);
      }
    }
    await expect(routesOf(Odd)).rejects.toThrow('Odd.get is cacheable and takes arguments other');
  });

  it.each([
    ['@UseGuards', UseGuards(class Guard {})],
    ['@UseInterceptors', UseInterceptors(class Interceptor {})],
    ['@UsePipes', UsePipes(class Pipe {})],
    ['@UseFilters', UseFilters(class Filter {})],
    ['@Header', Header('Vary', 'Accept')],
    ['@HttpCode', HttpCode(203)],
    ['@Redirect', Redirect('/elsewhere')],
    ['@Version', Version('2')],
  ])('refuses a route with %s, which it would ignore', async (name, decorate: MethodDecorator) => {
    class OfRoute {
      @Get('/')
      @Public()
      @Cacheable(() => [])
      @decorate
      list(): Promise<unknown> {
        return Promise.resolve([]);
      }
    }
    Controller('things')(OfRoute);
    await expect(routesOf(OfRoute)).rejects.toThrow(
      `OfRoute.list is cacheable and asks for ${name}, which cached responses`,
    );
  });

  it('refuses a route of a controller with a guard, or one under a global guard, interceptor or pipe', async () => {
    @Controller('things')
    @UseGuards(class Guard {})
    class Guarded {
      @Get('/')
      @Public()
      @Cacheable(() => [])
      list(): Promise<unknown> {
        return Promise.resolve([]);
      }
    }
    await expect(routesOf(Guarded)).rejects.toThrow('Guarded.list is cacheable and asks for @UseGuards');
    class Everywhere {
      canActivate = () => true;
      intercept = () => undefined;
      transform = () => undefined;
    }
    for (const provide of [APP_GUARD, APP_INTERCEPTOR, APP_PIPE]) {
      const provider = { provide, useClass: Everywhere };
      await expect(routesOf(Things, [provider])).rejects.toThrow(
        `asks for ${provide} Everywhere, which cached responses`,
      );
    }
  });

  it('refuses a route whose argument has a pipe of its own, which it cannot read', async () => {
    @Controller('things')
    class Piped {
      @Get(':name')
      @Public()
      @Cacheable(() => [])
      get(@Param(class Pipe {} as never) { name }: Place): Promise<unknown> {
        return Promise.resolve(name);
      }
    }
    await expect(routesOf(Piped)).rejects.toThrow('Piped.get is cacheable and takes arguments other');
  });

  it('accepts a route that counts its list, and one whose status is 200', async () => {
    @Controller('things')
    class Counted {
      @Get('/')
      @Public()
      @Cacheable(() => [])
      @CountsTotal()
      @HttpCode(200)
      list(): Promise<unknown> {
        return Promise.resolve([]);
      }
    }
    expect((await routesOf(Counted)).find('/things')?.route).toBe('/things');
  });
});
