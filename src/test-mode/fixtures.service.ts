import { readFile, stat } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import { Injectable } from '@nestjs/common';
import { sha256 } from '../platform/crypto/digests.js';
import { Invalid } from '../platform/errors/invalid.js';
import { validated } from '../platform/validation/validated.js';
import { TestAccountsService } from './test-accounts.service.js';
import { TestDataService } from './test-data.service.js';
import { TestFixture } from './test-rows.dto.js';
import { TestRowsService } from './test-rows.service.js';
import { isSeed } from './test-schema.statements.js';

const mostBytes = 1_000_000;

/** Puts the service back to one of its seeds, or to what a file of the suite describes. */
@Injectable()
export class FixturesService {
  constructor(
    private readonly data: TestDataService,
    private readonly rows: TestRowsService,
    private readonly accounts: TestAccountsService,
  ) {}

  /**
   * Returns in how many tables something had changed. `Invalid` for a file that is not in the folder in which the service
   * was started, that is too large, or that describes no rows.
   */
  async reset(seed: string): Promise<number> {
    if (isSeed(seed)) return this.data.reset(seed);
    const text = await textOf(seed);
    const fixture = validated(TestFixture, parsed(text, seed), 'body', { strict: true });
    return this.data.reset(`file_${sha256(text).slice(0, 16)}`, () => this.make(fixture));
  }

  /** One after the other, so that the ids are in the order of the file. */
  private async make({ users, products, coupons, orders }: TestFixture): Promise<void> {
    for (const user of users) await this.accounts.make(user);
    for (const product of products) await this.rows.product(product);
    for (const coupon of coupons) await this.rows.coupon(coupon);
    for (const order of orders) await this.rows.order(order);
  }
}

function refuse(seed: string, msg: string): never {
  throw Invalid.at(['body', 'seed'], 'value_error', msg, seed);
}

async function textOf(seed: string): Promise<string> {
  if (isAbsolute(seed) || seed.split('/').includes('..')) {
    refuse(seed, 'A file of rows is named from the folder in which the service was started, and lies within it');
  }
  const path = resolve(seed);
  const size = await stat(path).then(
    (found) => (found.isFile() ? found.size : Infinity),
    () => undefined,
  );
  if (size === undefined) refuse(seed, `There is no file ${seed} in the folder in which the service was started`);
  if (size > mostBytes) refuse(seed, `A file of rows has at most ${mostBytes} bytes`);
  return readFile(path, 'utf8');
}

function parsed(text: string, seed: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return refuse(seed, `The file ${seed} is not valid JSON`);
  }
}
