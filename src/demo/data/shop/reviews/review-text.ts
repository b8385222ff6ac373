/** What a buyer says about a product. Which buyer depends on the orders. */
export interface ReviewText {
  product: string;
  rating: number;
  title: string | null;
  content: string | null;
}
