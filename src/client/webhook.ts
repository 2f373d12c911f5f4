// Deliveries of webhooks: whether the panel sent them, and when.

/** Seconds by which a delivery's time may differ from the receiver's clock. */
const TOLERANCE = 300;

export interface Delivery {
  /** The webhook's secret. */
  readonly secret: string;
  /** The header `X-Panel-Signature`. */
  readonly signature: string | null | undefined;
  /** The body as it came, before any parsing. */
  readonly body: string | Uint8Array;
  /** Unix seconds of the receiver; now unless given. */
  readonly now?: number;
  /** Seconds by which the clocks may differ; 300 unless given. */
  readonly tolerance?: number;
}

/**
 * Whether a delivery is genuine and recent. Compares in constant time. Keep the `id` of handled events beside it: a
 * delivery comes at least once.
 */
export async function verifyWebhook({ secret, signature, body, now, tolerance }: Delivery): Promise<boolean> {
  const [, time = "", given = ""] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(signature ?? "") ?? [];
  if (time === "") return false;
  const clock = now ?? Date.now() / 1000;
  if (Math.abs(clock - Number(time)) > (tolerance ?? TOLERANCE)) return false;
  const bytes = new TextEncoder();
  const key = await crypto.subtle.importKey("raw", bytes.encode(secret), { name: "HMAC", hash: "SHA-256" }, false, [
    "verify",
  ]);
  const head = bytes.encode(`${time}.`);
  const rest = typeof body === "string" ? bytes.encode(body) : body;
  const signed = new Uint8Array(head.length + rest.length);
  signed.set(head);
  signed.set(rest, head.length);
  const mac = Uint8Array.from(given.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  return crypto.subtle.verify("HMAC", key, mac, signed);
}
