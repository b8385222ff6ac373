/** A saved filter. */
export interface NamedView {
  id: string;
  name: string;
  shared: boolean;
}
