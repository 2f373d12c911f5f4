// The panel's side for tests of the agent: certificates of a test CA, a dialled link with everything it heard, a usage
// book kept as a panel keeps it.
import "reflect-metadata";
import { once } from "node:events";
import { webcrypto } from "node:crypto";
import * as x509 from "@peculiar/x509";
import { WebSocket } from "ws";
import { agentMethods, MAX_MESSAGE_BYTES, PROTOCOL_VERSION, WEBSOCKET_PATH } from "../../src/protocol/messages.ts";
import type { Heartbeat, PanelParams, PanelResult, UsageBatch, panelMethods } from "../../src/protocol/messages.ts";
import { createPeer } from "../../src/protocol/peer.ts";
import type { RpcPeer } from "../../src/protocol/peer-contract.ts";
import { rowsOf } from "../usage-cells.ts";

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
x509.cryptoProvider.set(webcrypto);

export interface ClientIdentity {
  readonly cert: string;
  readonly key: string;
}

/** A CA with one client certificate, or (`selfSigned`) a certificate that vouches for itself. */
export async function makePanelIdentity(
  name: string,
  {
    from = Date.now() - 60_000,
    to = Date.now() + 3_600_000,
    usage = x509.ExtendedKeyUsage.clientAuth,
  }: { from?: number; to?: number; usage?: string } = {},
): Promise<{ trust: string; client: ClientIdentity; selfSigned: ClientIdentity }> {
  const dates = {
    notBefore: new Date(from),
    notAfter: new Date(to),
    signingAlgorithm: ALGORITHM,
  };
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
  const clientKeys = await webcrypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
  const authority = await x509.X509CertificateGenerator.createSelfSigned({
    ...dates,
    name: `CN=${name} CA`,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
    ],
  });
  const leaf = [
    new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
    new x509.ExtendedKeyUsageExtension([usage]),
  ];
  const client = await x509.X509CertificateGenerator.create({
    ...dates,
    subject: `CN=${name}`,
    issuer: authority.subject,
    publicKey: clientKeys.publicKey,
    signingKey: keys.privateKey,
    extensions: leaf,
  });
  const own = await x509.X509CertificateGenerator.createSelfSigned({
    ...dates,
    name: `CN=${name}`,
    keys: clientKeys,
    extensions: leaf,
  });
  const key = x509.PemConverter.encode(await webcrypto.subtle.exportKey("pkcs8", clientKeys.privateKey), "PRIVATE KEY");
  return {
    trust: authority.toString("pem"),
    client: { cert: client.toString("pem"), key },
    selfSigned: { cert: own.toString("pem"), key },
  };
}

/** What a panel keeps of a node's ledger: totals by user and the cursor, moved together. */
export class UsageBook {
  readonly totals = new Map<number, number>();
  readonly seen = new Map<string, string>();
  cursor = 0;
  bootId = "";
  up = 0;
  down = 0;
  /** False: batches get no answer. */
  answering = true;

  take(batch: UsageBatch): { acknowledged: number } | Promise<never> {
    const name = `${batch.bootId} ${batch.seq}`;
    const text = JSON.stringify(batch);
    const before = this.seen.get(name);
    if (before !== undefined && before !== text) throw new Error(`batch ${name} changed after it was sent`);
    this.seen.set(name, text);
    if (!this.answering) return new Promise(() => undefined);
    if (this.bootId !== batch.bootId) {
      this.bootId = batch.bootId;
      this.cursor = 0;
    }
    if (batch.seq > this.cursor) {
      for (const [userId, , up, down] of batch.rows)
        this.totals.set(userId, (this.totals.get(userId) ?? 0) + up + down);
      this.up += batch.up;
      this.down += batch.down;
      this.cursor = batch.seq;
    }
    return { acknowledged: this.cursor };
  }
}

export interface PanelLink {
  readonly peer: RpcPeer<typeof panelMethods>;
  readonly socket: WebSocket;
  readonly heartbeats: Heartbeat[];
  hello(fence: number, more?: Partial<PanelParams<"hello">>): Promise<PanelResult<"hello">>;
  /** Resolves with the next heartbeat that satisfies the test. */
  heartbeat(test?: (heartbeat: Heartbeat) => boolean): Promise<Heartbeat>;
  close(): Promise<void>;
}

/** Dials an agent; rejects when TLS or the upgrade is refused. */
export async function dial(
  port: number,
  client: ClientIdentity | undefined,
  book: UsageBook = new UsageBook(),
  host = "127.0.0.1",
): Promise<PanelLink> {
  const socket = new WebSocket(`wss://${host}:${port}${WEBSOCKET_PATH}`, {
    ...client,
    rejectUnauthorized: false,
    maxPayload: MAX_MESSAGE_BYTES,
    agent: false,
  });
  const heartbeats: Heartbeat[] = [];
  const waiting = new Set<(heartbeat: Heartbeat) => void>();
  await once(socket, "open");
  const peer = createPeer({
    socket,
    handles: agentMethods,
    timeoutMs: 120_000,
    handlers: {
      heartbeat: (heartbeat) => {
        heartbeats.push(heartbeat);
        for (const tell of waiting) tell(heartbeat);
        return null;
      },
      usage: (batch) => book.take({ ...batch, rows: rowsOf(batch.rows) }),
    },
  });
  return {
    peer,
    socket,
    heartbeats,
    hello: async (fence, more = {}) => {
      const answer = await peer.call("hello", {
        protocol: PROTOCOL_VERSION,
        panelVersion: "test",
        nodeId: 1,
        fence,
        readOnly: false,
        ...more,
      });
      peer.named(answer.abilities);
      return answer;
    },
    heartbeat: (test = () => true) =>
      new Promise((resolve) => {
        const tell = (heartbeat: Heartbeat): void => {
          if (!test(heartbeat)) return;
          waiting.delete(tell);
          resolve(heartbeat);
        };
        waiting.add(tell);
      }),
    async close() {
      peer.close();
      await peer.closed;
    },
  };
}
