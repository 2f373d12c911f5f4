// What the panel says of itself (rule process.info.1), as far as the overview shows it.

export interface PanelInfo {
  readonly version: string;
  readonly commit: string;
  readonly hostname: string;
  /** Seconds. */
  readonly uptime: number;
  readonly memory: { readonly rss: number; readonly total: number; readonly free: number };
  readonly database: { readonly kind: string; readonly version: string; readonly size: number };
  readonly untrustedProxy: { readonly address: string; readonly requests: number } | null;
  /** A panel of an earlier version says nothing of it. */
  readonly notListening?: readonly { readonly place: string; readonly fault: string }[];
  readonly counts: { readonly users: number; readonly nodes: number; readonly online: number };
  readonly actors: Readonly<Record<string, Readonly<Record<string, number>>>>;
}
