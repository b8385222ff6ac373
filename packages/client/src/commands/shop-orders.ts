import type { LineToRefund } from '@store-service/sdk';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Open } from './context.js';
import { outputOption, sinceOption, untilOption, wordOption, wordsOption } from './options.js';
import type { RefundOptions } from './refund-order.js';
import type { ShipOptions } from './ship-order.js';
import { addCommand, addList } from './usual-commands.js';
import { orderQueues, orderStatuses, shippedStatuses } from '../values.js';

function readNumber(text: string): number {
  const number = /^#?([1-9][0-9]{0,9})$/.exec(text)?.[1];
  if (number !== undefined) return Number(number);
  throw new InvalidArgumentError('Give the number of an order, such as 240.');
}

function readAmount(text: string): number {
  if (/^\d{1,12}(\.\d{1,2})?$/.test(text) && Number(text) > 0) return Number(text);
  throw new InvalidArgumentError('Give an amount above 0 with at most two decimals, such as 12.50.');
}

/** `12` or `12:2`: a line of the order and how many of its pieces. */
function readItem(text: string, before: LineToRefund[] = []): LineToRefund[] {
  const [, item, quantity = '1'] = /^([1-9]\d{0,9})(?::([1-9]\d{0,2}))?$/.exec(text) ?? [];
  if (item !== undefined) return [...before, { item_id: Number(item), quantity: Number(quantity) }];
  throw new InvalidArgumentError('Give the id of a line and perhaps how many of its pieces, such as 12 or 12:2.');
}

function addOrderList(orders: Command, open: Open): void {
  const usage = {
    summary: 'list orders, newest first',
    description:
      'List orders, newest first. A search finds words that begin words of the customer, of where it is sent, or of ' +
      'the products; or the number of an order.',
    examples: [
      'store shop orders list --queue to_ship',
      'store shop orders list --search "maria linen"',
      "store shop orders list --status paid,processing --all -o jsonl | jq -r '.id'",
    ],
  };
  const filters = [
    new Option('-s, --search <text>', 'orders with these words, or this number'),
    wordOption('-q, --queue <queue>', `orders that wait: ${orderQueues.join(', ')}`, orderQueues),
    wordsOption('--status <statuses>', `orders with one of these: ${orderStatuses.join(', ')}`, orderStatuses),
    sinceOption('orders'),
    untilOption('orders'),
  ];
  addList(orders, open, usage, filters, async () => (await import('./list-orders.js')).listOrders);
}

function addShip(orders: Command, open: Open): void {
  addCommand(orders, {
    name: 'ship',
    summary: 'say that an order was shipped, and by whom',
    description:
      'Write who delivers an order, and make it shipped: its customer gets a mail with the number. Where a person ' +
      'would stop, such as at an order without an address, it is refused unless --confirm is given.',
    examples: [
      'store shop orders ship 240 --carrier DHL --number 00340434161094015902',
      'store shop orders ship 240 --url "https://www.dhl.com/track?id=00340434161094015902" --confirm',
    ],
  })
    .argument('<order>', 'the number of the order', readNumber)
    .option('--carrier <name>', 'who delivers it')
    .option('--number <number>', 'the number by which the carrier knows it')
    .option('--url <url>', 'where its way can be followed')
    .addOption(wordOption('--status <status>', 'the new status', shippedStatuses).default('shipped'))
    .option('--confirm', 'also where a person would stop')
    .addOption(outputOption())
    .action(async (order: number, options: ShipOptions) => {
      const { shipOrder } = await import('./ship-order.js');
      await shipOrder(await open(), order, options);
    });
}

function addRefund(orders: Command, open: Open): void {
  addCommand(orders, {
    name: 'refund',
    summary: 'pay an order back, or a part of it',
    description:
      'Pay back an amount, or pieces of the lines of an order, the way the money came. Pieces go back into stock ' +
      'unless --no-restock is given. What was recorded by hand is to be paid back by hand.',
    examples: [
      'store shop orders refund 240 --item 517 --reason "One vase arrived broken"',
      'store shop orders refund 240 --item 517:2 --no-restock',
      'store shop orders refund 240 --amount 12.50',
    ],
  })
    .argument('<order>', 'the number of the order', readNumber)
    .option('--amount <amount>', 'what is paid back; with --item, in the place of their price', readAmount)
    .option('--item <line[:quantity]>', 'a line of the order that comes back; repeat it for others', readItem)
    .option('--reason <text>', 'why')
    .option('--no-restock', 'leave the pieces out of the stock')
    .option('--by-hand', 'record money that you pay back yourself, without asking the provider')
    .addOption(outputOption())
    .action(async (order: number, options: RefundOptions) => {
      const { refundOrder } = await import('./refund-order.js');
      await refundOrder(await open(), order, options);
    });
}

export function addShopOrders(orders: Command, open: Open): void {
  addOrderList(orders, open);
  addShip(orders, open);
  addRefund(orders, open);
}
