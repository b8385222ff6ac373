/** A buyer's review of a group of products. The orders decide which buyer writes it. */
export interface ReviewText {
  product: string;
  rating: number;
  title: string | null;
  content: string | null;
  /** The name of a picture that the buyer took. */
  photo?: string;
  /** What the shop answers. */
  answer?: string;
}
