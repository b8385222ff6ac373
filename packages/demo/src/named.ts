/** The entry of this name. The demo data are wrong if there is none. */
export function named<T>(things: ReadonlyMap<string, T>, name: string): T {
  const thing = things.get(name);
  if (thing === undefined) throw new Error(`The demo data name "${name}", which they do not have`);
  return thing;
}
