import { Injectable } from '@nestjs/common';

/** How many deliveries to one receiver are under way on this node at most: one that hangs leaves room for all others. */
const placesOfHost = 4;
/** And how many of one organization, however many receivers it has that hang. */
const placesOfOrganization = 12;

interface Receiver {
  organizationId: string;
  url: string;
}

/** The marks of a job that sends to this receiver; the port counts, for different servers may share a host. */
export function receiverMarks({ organizationId, url }: Receiver): [host: string, organization: string] {
  return [`host:${new URL(url).host}`, `organization:${organizationId}`];
}

/** Counts what is under way to each receiver and of each organization. */
@Injectable()
export class Receivers {
  private readonly busy = new Map<string, number>();

  /** A place for one delivery, to be given back by calling it; null where all are taken. */
  take(receiver: Receiver): (() => void) | null {
    const marks = receiverMarks(receiver);
    if (marks.some((mark) => this.isFull(mark))) return null;
    for (const mark of marks) this.busy.set(mark, (this.busy.get(mark) ?? 0) + 1);
    return () => marks.forEach((mark) => this.leave(mark));
  }

  /** The marks of jobs for which there is no place now. */
  full(): string[] {
    return [...this.busy.keys()].filter((mark) => this.isFull(mark));
  }

  private isFull(mark: string): boolean {
    const places = mark.startsWith('host:') ? placesOfHost : placesOfOrganization;
    return (this.busy.get(mark) ?? 0) >= places;
  }

  private leave(mark: string): void {
    const taken = (this.busy.get(mark) ?? 1) - 1;
    if (taken === 0) this.busy.delete(mark);
    else this.busy.set(mark, taken);
  }
}
