import { Entity, Index, PrimaryColumn } from 'typeorm';

/** A word that some product has or had, for searches with misspelled words. The triggers of `products` write it. */
@Entity('product_words')
@Index('product_words_alike_idx', { synchronize: false })
export class ProductWordEntity {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'product_words_pkey' })
  word: string;
}
