import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Product } from '../../../../src/store/catalogue/catalogue.dto.js';
import { csvHead, csvLine } from '../../../../src/store/catalogue/product-csv.js';
import { readProductCsv } from '../../../../src/store/catalogue/read-product-csv.js';
import { anyText } from '../../../support/any-text.js';

const plain: Product = {
  id: 7,
  name: 'Vase',
  description: null,
  price: 12.5,
  stock: 3,
  color: null,
  material: null,
  size: null,
  image_url: null,
  created_at: new Date(0),
  group_id: null,
  slug: 'vase',
  sku: null,
  status: 'published',
  average_rating: null,
  review_count: 0,
};

const read = (text: string | Buffer) => readProductCsv(Buffer.from(text));
const cellsOf = async (text: string | Buffer) => (await read(text)).rows.map(({ line, cells }) => ({ line, ...cells }));
const faultsOf = async (text: string | Buffer) =>
  (await read(text)).faults.map(({ line, field, detail }) => `${line} ${field}: ${detail}`);

/** What an export writes of a text: all but control characters. */
const kept = (text: string): string => text.toWellFormed().replace(/(?![\t\r\n])\p{Cc}/gu, '');

describe('A line of products as CSV', () => {
  it('reads back exactly the text that was written', async () => {
    const texts = fc.oneof(
      anyText(),
      fc.stringMatching(/^[a'=+@\t\r\n",;-]{0,6}$/),
      fc.constantFrom('🪑 "oak"', 'כיסא', '<script>alert(1)</script>', ' padded ', "''=1"),
    );
    const some = fc.array(fc.record({ name: texts, description: texts }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(some, async (products) => {
        const written = products.map((one) => ({
          name: kept(one.name),
          description: kept(one.description),
        }));
        const { rows, faults } = await read(csvHead + written.map((one) => csvLine({ ...plain, ...one })).join(''));
        expect(faults).toEqual([]);
        expect(rows.map(({ cells: { name, description } }) => ({ name, description }))).toEqual(written);
      }),
    );
  });
});

describe('A file of products', () => {
  it('has its lines counted across blank lines, emptied rows and values of several lines', async () => {
    const file = 'id,name\r\n1,"a\r\nb"\r\n\r\n,\r\n2,c\n3,"d\n\ne"\r\n4,f';
    expect(await cellsOf(file)).toEqual([
      { line: 2, id: '1', name: 'a\r\nb' },
      { line: 6, id: '2', name: 'c' },
      { line: 7, id: '3', name: 'd\n\ne' },
      { line: 10, id: '4', name: 'f' },
    ]);
  });

  it.each([
    ['semicolons', 'Id; Name \n1;Vase, tall'],
    ['tabs', 'id\tname\n1\tVase, tall'],
    ['commas, with the mark of UTF-8', '\uFEFFid,name\n1,"Vase, tall"'],
    ['old line ends', 'id,name\r1,"Vase, tall"'],
  ])('may have %s', async (_, file) => {
    expect(await cellsOf(file)).toEqual([{ line: 2, id: '1', name: 'Vase, tall' }]);
  });

  it.each(['utf16le', 'utf16be'] as const)('may be %s, as spreadsheets save "Unicode text"', async (encoding) => {
    const little = Buffer.from('\uFEFFid\tname\r\n1\tGrün', 'utf16le');
    const file = encoding === 'utf16le' ? little : Buffer.from(little).swap16();
    expect(await cellsOf(file)).toEqual([{ line: 2, id: '1', name: 'Grün' }]);
  });

  it.each([
    ['', '1 null: The file is empty: its first line should name the columns'],
    ['\n \n', '1 null: The file is empty: its first line should name the columns'],
    ['id,price_eur\n1,2', /^1 price_eur: There is no such column: the columns are id, name/],
    ['id,nmae\n1,2', '1 nmae: Did you mean "name"?'],
    ['id,name,ID\n1,2,3', '1 id: The column appears twice: remove one'],
    ['id,name,\n1,2,3', '1 null: The column has no name'],
    ['id,name\n1', '2 null: The line has 1 columns, and the first line 2'],
    ['id,name\n1,"a\nb', '2 null: A quote is opened but not closed'],
    ['id,name\n1,x\n\n2,a"b', /^4 null: A quote is inside a value/],
    ['id,name\n1,"a"b', /^2 null: After a closing quote/],
  ])('%j is refused with its line number', async (file, fault) => {
    expect(await faultsOf(file)).toEqual([typeof fault === 'string' ? fault : expect.stringMatching(fault)]);
    expect((await read(file)).rows.filter(({ line }) => line > 2)).toEqual([]);
  });

  it('is refused if a line is longer than any product, or if it has another encoding', async () => {
    const long = `id,name\n1,x\n2,${'x'.repeat(200_000)}`;
    expect(await faultsOf(long)).toEqual([expect.stringMatching(/^3 null: The line is longer than any product/)]);
    const latin = Buffer.from('id,name\n1,x\n2,Gr\xfcn\n', 'latin1');
    expect(await faultsOf(latin)).toEqual([expect.stringMatching(/^3 null: The line is not UTF-8/)]);
  });

  it('is refused with all its faulty lines', async () => {
    expect(await faultsOf('id,name\n1\n2,x\n3,y,z\n4,"')).toEqual([
      '2 null: The line has 1 columns, and the first line 2',
      '4 null: The line has 3 columns, and the first line 2',
      '5 null: A quote is opened but not closed',
    ]);
  });

  it('is refused with more than 10,000 products', async () => {
    const lines = (count: number) => `name\n${'x\n'.repeat(count)}`;
    expect((await read(lines(10_000))).rows).toHaveLength(10_000);
    await expect(read(lines(10_001))).rejects.toThrow('A file may have at most 10000 products');
  });
});
