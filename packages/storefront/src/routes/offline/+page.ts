// Shown from what the browser kept, where no script can be asked for.
export const csr = false;
