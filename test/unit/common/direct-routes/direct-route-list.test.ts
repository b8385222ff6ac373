import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import {
  Body,
  Controller,
  Get,
  Headers,
  HttpCode,
  type INestApplicationContext,
  Module,
  Param,
  Post,
  Put,
  type Type,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { APP_GUARD, DiscoveryModule, NestFactory } from '@nestjs/core';
import { Bearer, OpenUnderContract, Public } from '../../../../src/common/auth/access.js';
import { Caller, type CallerIdentity } from '../../../../src/common/auth/caller.js';
import { Direct } from '../../../../src/common/direct-routes/direct.js';
import { DirectRouteList } from '../../../../src/common/direct-routes/direct-route-list.js';
import { Invalid } from '../../../../src/common/errors/invalid.js';
import { IntegerField } from '../../../../src/common/validation/fields.js';

class Item {
  @IntegerField({ min: 1 })
  count: number;
}

@Controller('things')
class Things {
  @Get('/')
  @Bearer()
  @Direct()
  list(@Caller() caller: CallerIdentity): unknown {
    return { of: caller.id };
  }

  @Post('add')
  @Bearer()
  @Direct()
  @HttpCode(202)
  add(@Body() item: Item, @Caller() caller: CallerIdentity): unknown {
    return { item, by: caller.id };
  }
}

async function routesOf(controller: Type, providers: object[] = []): Promise<DirectRouteList> {
  class Root {}
  Module({ imports: [DiscoveryModule], controllers: [controller], providers: providers as never })(Root);
  const app: INestApplicationContext = await NestFactory.createApplicationContext(Root, { logger: false });
  return new DirectRouteList(app);
}

const exchange = { request: { user: { id: 'me' } }, response: {} } as never;

describe('Direct routes', () => {
  it('are found by method and path, with or without a trailing slash, and by nothing else', async () => {
    const routes = await routesOf(Things);
    expect(routes.find('GET', '/things')?.path).toBe('/things/');
    expect(routes.find('GET', '/things/')).toMatchObject({ status: 200, readsBody: false });
    expect(routes.find('POST', '/things/add')).toMatchObject({ status: 202, readsBody: true });
    for (const url of ['/Things', '/things/?a', '/things//', '/things/add', '//things']) {
      expect(routes.find('GET', url)).toBeUndefined();
    }
  });

  it('pass to their handlers what Nest would', async () => {
    const routes = await routesOf(Things);
    await expect(routes.find('GET', '/things')?.handle(exchange, undefined)).resolves.toEqual({ of: 'me' });
    const add = routes.find('POST', '/things/add');
    await expect(add?.handle(exchange, { count: 3, more: 1 })).resolves.toEqual({ item: { count: 3 }, by: 'me' });
    await expect(add?.handle(exchange, { count: 0 })).rejects.toBeInstanceOf(Invalid);
  });

  it.each<[string, MethodDecorator, MethodDecorator, string]>([
    ['that is public', Post('/'), Public(), 'not for signed-in callers alone'],
    ['that is open under one policy', Post('/'), OpenUnderContract('bearer'), 'not for signed-in callers alone'],
    ['with parameters in its path', Put(':id'), Bearer(), 'its path has parameters'],
    ['with a guard of its own', Post('/'), UseGuards(class Guard {}), 'asks for @UseGuards'],
    ['with an interceptor', Post('/'), UseInterceptors(class Interceptor {}), 'asks for @UseInterceptors'],
  ])('may include none %s', async (_, route, decorate, reason) => {
    class Other {
      @Direct()
      @decorate
      @Bearer()
      @decorate
      @route
      act(): unknown {
        return {};
      }
    }
    Controller('things')(Other);
    await expect(routesOf(Other)).rejects.toThrow(`Other.act is direct and ${reason}`);
  });

  it('may not take other arguments, nor be under a global guard', async () => {
    @Controller('things')
    class Odd {
      @Get('/')
      @Bearer()
      @Direct()
      list(@Headers('accept') accept: string): string {
        return accept;
      }
    }
    await expect(routesOf(Odd)).rejects.toThrow('Odd.list is direct and takes something else');
    @Controller('things')
    class Piped {
      @Get('/')
      @Bearer()
      @Direct()
      list(@Param() item: Item): Item {
        return item;
      }
    }
    await expect(routesOf(Piped)).rejects.toThrow('Piped.list is direct and takes something else');
    class Everywhere {
      canActivate = () => true;
    }
    const guard = { provide: APP_GUARD, useClass: Everywhere };
    await expect(routesOf(Things, [guard])).rejects.toThrow('asks for APP_GUARD Everywhere, which this way ignores');
  });
});
