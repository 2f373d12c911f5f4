// What a page of the interface may do in a browser: its own scripts, styles with the nonce of this page load, and no
// other site.
import { randomBytes } from "node:crypto";

/** A nonce for one page load. */
export function newNonce(): string {
  return randomBytes(18).toString("base64");
}

/** Headers of a page. Nothing keeps it: the nonce is for one load, and an update is seen at the next. */
export function pageHeaders(nonce: string): Record<string, string> {
  return {
    "content-security-policy": [
      "default-src 'none'",
      "script-src 'self'",
      `style-src 'self' 'nonce-${nonce}'`,
      "img-src 'self' data:",
      "font-src 'self'",
      "connect-src 'self'",
      "base-uri 'self'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ].join("; "),
    "permissions-policy":
      "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), microphone=(), payment=(), usb=()",
    "cache-control": "no-store",
  };
}
