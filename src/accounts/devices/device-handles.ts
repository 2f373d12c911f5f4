// What the page for people calls a device (rule subscriptions.page.13). A device's own id works like a credential: a
// request for the link that sends it passes as that device. So the page holds a keyed hash of the id, another one for
// each account.
import { createHmac } from "node:crypto";

/** 132 bits. */
const LETTERS = 22;

export class DeviceHandles {
  readonly #key: Buffer;

  constructor(secretKey: Uint8Array) {
    this.#key = createHmac("sha256", secretKey).update("devices on pages").digest();
  }

  of(userId: number, hwid: string): string {
    return createHmac("sha256", this.#key).update(`${userId}\n${hwid}`).digest("base64url").slice(0, LETTERS);
  }
}
