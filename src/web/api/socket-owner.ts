// What a kept connection is to those who use it.

/**
 * `off`: no page listens, or the caller may not. `paused`: the tab is hidden. `lost`: not connected since then (Unix
 * ms), trying again.
 */
export type LinkState =
  | { readonly status: "off" }
  | { readonly status: "connecting" }
  | { readonly status: "live" }
  | { readonly status: "paused" }
  | { readonly status: "lost"; readonly since: number };

/** A kept connection, as its owner uses it. */
export interface KeptSocket {
  readonly state: LinkState;
  readonly open: () => void;
  readonly close: () => void;
  /** The connection is there. */
  readonly works: () => void;
}

export interface SocketOwner {
  /** Below the base path; asked for at each connection. */
  readonly path: () => string;
  /** A connection is there; what `path` asked for comes from now on. */
  readonly opened?: () => void;
  readonly message: (data: unknown) => void;
  /** How a connection ended, before the next one is tried. */
  readonly ended?: (code: number) => void;
  readonly changed: () => void;
}
