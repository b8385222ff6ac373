/** A form with these parts; one with a file name is a file. */
export function formOf(...parts: [name: string, content: string | Buffer<ArrayBuffer>, filename?: string][]): FormData {
  const form = new FormData();
  for (const [name, content, filename] of parts) {
    if (filename === undefined) form.append(name, content.toString());
    else form.append(name, new Blob([content]), filename);
  }
  return form;
}
