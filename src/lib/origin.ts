// The origin of a change: who caused it. It is carried from the boundary where the change entered to the journal and
// the audit log.

/** `via`: how it came in; the panel's own doing is `system`. */
export interface Origin {
  readonly via: "session" | "token" | "cli" | "system";
  /** A username, or what of the system acted (`timer`, `effect`, `usage`). */
  readonly actor: string;
  /** 0 where no admin acted. */
  readonly adminId: number;
  /** 0 where no token was used. */
  readonly tokenId: number;
  /** Empty where there is none. */
  readonly ip: string;
}

/** The panel itself; `actor` says which part of it. */
export function systemOrigin(actor: string): Origin {
  return { via: "system", actor, adminId: 0, tokenId: 0, ip: "" };
}
