// Everything that the page is drawn from: plain values, so that it is drawn the same for a visitor and for a preview.
import type { UserStatus } from "../../accounts/index.ts";
import type { SubApp } from "./apps.ts";
import type { PageLanguage } from "./language.ts";
import type { Platform } from "./platform.ts";
import type { SubTheme } from "./theme.ts";

export interface PageAccount {
  readonly name: string;
  readonly status: UserStatus;
  /** `disabledReason`. */
  readonly reason: string;
  /** Bytes; a volume of 0 is none. */
  readonly up: number;
  readonly down: number;
  readonly volume: number;
  /** Unix seconds, 0 = never. */
  readonly expiry: number;
  /** Seconds that a plan lasts that has not started; 0 for every other. */
  readonly lasts: number;
  /** Unix seconds, 0 = never. */
  readonly nextReset: number;
  /** 0 = none. */
  readonly deviceLimit: number;
}

/** A device as it named itself, but for its id: who has that passes as the device. */
export interface PageDevice {
  /** By which the page removes it. */
  readonly handle: string;
  readonly model: string;
  readonly platform: string;
  readonly userAgent: string;
  /** Unix seconds. */
  readonly lastSeenAt: number;
}

export interface PageServer {
  readonly name: string;
  readonly link: string;
}

export interface PageView {
  readonly account: PageAccount;
  /** The subscription's address. */
  readonly url: string;
  /** Empty where the page shows none. */
  readonly servers: readonly PageServer[];
  readonly devices: readonly PageDevice[];
  /** Where a device is forgotten, its handle to be added; empty: not by the subscriber. */
  readonly forgetAt: string;
  /** The server whose QR code was asked for, from 0. */
  readonly qrOf: number | undefined;
  readonly language: PageLanguage;
  readonly platform: Platform;
  readonly theme: SubTheme;
  readonly apps: readonly SubApp[];
  /** `sub_title`, `sub_announce`, `sub_support_url`; each may be empty. */
  readonly title: string;
  readonly announce: string;
  readonly supportUrl: string;
  /** Unix seconds. */
  readonly now: number;
  /** IANA name; empty: the host's. */
  readonly timeZone: string;
  /** What links to the same page begin with: empty, or `format=html&`. */
  readonly query: string;
}
