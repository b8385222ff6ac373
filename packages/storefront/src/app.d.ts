import type { StoreClient } from '@store-service/sdk';
import type { Shop } from '$lib/server/api.ts';
import type { Session, Tokens } from '$lib/server/session.ts';
import type { Language } from '$lib/texts/index.ts';

declare global {
  namespace App {
    interface Locals {
      /** Calls of this request to the service, by whoever is signed in. */
      api: StoreClient;
      session: Session;
      /** Keeps the tokens of a login, which later calls carry; forgets them. */
      signIn(tokens: Tokens): void;
      signOut(): void;
      language: Language;
      /** What the visitor chose, or the system's. */
      theme: 'light' | 'dark' | 'system';
      /** The shop's name, currency and so on, kept for some seconds, longer while the service is away. */
      shop(): Promise<Shop>;
    }
    interface PageData {
      language: Language;
      theme: 'light' | 'dark' | 'system';
      shop: Shop;
      /** The departments, for the header and the footer. */
      categories: { slug: string; name: string }[];
      /** Whether somebody is signed in. */
      customer: object | null;
      /** Pieces in the cart. */
      cartCount: number;
    }
    interface Error {
      message: string;
      /** Why there is no page: none is there, or the service is away. */
      kind?: 'missing' | 'away' | 'refused' | 'fault';
    }
    interface Platform {
      req: import('node:http').IncomingMessage;
    }
  }
}
