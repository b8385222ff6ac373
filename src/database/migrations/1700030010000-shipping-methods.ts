import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How the shop ships, and what that costs: the methods and costs that the interface description takes for granted. */
export class ShippingMethods1700030010000 implements MigrationInterface {
  name = 'ShippingMethods1700030010000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE shipping_methods (
        code varchar(50) PRIMARY KEY CHECK (code ~ '^[a-z0-9_-]+$'),
        name varchar(100) NOT NULL,
        cost numeric(12,2) NOT NULL CHECK (cost BETWEEN 0 AND 10000),
        days integer NOT NULL CHECK (days BETWEEN 0 AND 365),
        free_from numeric(12,2) CHECK (free_from >= 0),
        position integer NOT NULL
      );
      INSERT INTO shipping_methods (code, name, cost, days, position)
      VALUES ('standard', 'Standard', 5.99, 5, 1), ('express', 'Express', 12.99, 2, 2)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE shipping_methods');
  }
}
