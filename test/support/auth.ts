/** The header that a proxy adds to a request from another machine; requests from this machine have none. */
export function forwardedFor(address: string): Record<string, string> {
  return address === '127.0.0.1' ? {} : { 'x-forwarded-for': address };
}

/** The statuses of concurrent responses, in ascending order. */
export async function statusesOf(responses: Promise<{ status: number }>[]): Promise<number[]> {
  return (await Promise.all(responses)).map(({ status }) => status).sort((one, other) => one - other);
}

/** How many of the concurrent responses have a status. */
export async function countOf(responses: Promise<{ status: number }>[], status: number): Promise<number> {
  return (await statusesOf(responses)).filter((one) => one === status).length;
}
