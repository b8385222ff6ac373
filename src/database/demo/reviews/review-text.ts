/** What somebody says about a product; who that is depends on who has bought it. */
export interface ReviewText {
  product: string;
  rating: number;
  title: string | null;
  content: string | null;
}
