// An API token as the API answers it.
import type { RecordKind } from "../parts/use-verbs.tsx";

/** As `GET /tokens` answers; the token itself is told once, at its creation. */
export interface Token {
  readonly id: number;
  readonly desc: string;
  readonly role: string;
  readonly adminId: number;
  readonly adminName: string;
  /** None: everything that its role may. */
  readonly scopes: readonly string[];
  readonly rateLimit: number;
  readonly expiry: number;
  readonly managedBy?: string;
  readonly lastUsedAt: number;
  readonly lastUsedIp: string;
  readonly createdAt: number;
  readonly expired: boolean;
}

export interface MadeToken extends Token {
  readonly token: string;
}

export interface TokenBody {
  desc: string;
  adminId: number;
  scopes: string[];
  rateLimit: number;
  expiry: number;
}

/** `unnamed`: what stands for a purpose that nobody wrote. */
export function tokenName({ desc }: Pick<Token, "desc">, unnamed: string): string {
  return desc === "" ? unnamed : desc;
}

export const TOKENS: RecordKind<Token> = { list: "/tokens", name: ({ desc, id }) => tokenName({ desc }, `#${id}`) };
