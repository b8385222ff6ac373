/** One product of the demo. `picture` names a file of the folder `pictures`. */
export interface DemoProduct {
  name: string;
  description: string;
  priceCents: number;
  stock: number;
  color: string | null;
  material: string | null;
  size: string | null;
  picture: string;
}
