import type { Command } from 'commander';
import type { Open } from './context.js';
import { outputOption } from './options.js';
import { addShopOrders } from './shop-orders.js';
import type { ProductImportOptions } from './product-files.js';
import { addCommand } from './usual-commands.js';

const note = `
The shop takes a key of its own (sk_…), which an admin makes by POST /api/v1/admin/keys, or the access token of an admin,
in STORE_SHOP_KEY.`;

export function addShop(shop: Command, open: Open): void {
  shop.addHelpText('after', note);
  addShopOrders(
    shop.command('orders').alias('order').description('Read, ship and refund the orders of the shop.'),
    open,
  );
  addProducts(
    shop.command('products').alias('product').description('Write the catalog to a file, and read it from one.'),
    open,
  );
}

function addProducts(products: Command, open: Open): void {
  addCommand(products, {
    name: 'export',
    summary: 'write all products as CSV',
    description:
      'Write all products as CSV in UTF-8, to a file or to standard output; importing it unchanged changes nothing.',
    examples: ['store shop products export products.csv', 'store shop products export | head -3'],
  })
    .argument('[file]', 'the file, which is replaced once all is there; standard output if left out')
    .action(async (file: string | undefined) => {
      const { exportProducts } = await import('./product-files.js');
      await exportProducts(await open(), file);
    });
  addCommand(products, {
    name: 'import',
    summary: 'add and change products by a CSV file',
    description:
      'Add and change products by a CSV file with the columns of an export, all of its lines or none: a line with an id ' +
      'changes that product, one without adds one. At most 10,000 products and 5 MiB.',
    examples: [
      'store shop products import products.csv --dry-run',
      'store shop products import products.csv',
      'store shop products import - < products.csv',
    ],
  })
    .argument('<file>', 'the file, or - for standard input')
    .option('--dry-run', 'change nothing, and show what would come of it')
    .addOption(outputOption())
    .action(async (file: string, options: ProductImportOptions) => {
      const { importProducts } = await import('./product-files.js');
      await importProducts(await open(), file, options);
    });
}
