/** A buyer's review of a product. The orders decide which buyer writes it. */
export interface ReviewText {
  product: string;
  rating: number;
  title: string | null;
  content: string | null;
}
