// A user's proxy client: a real v2ray, configured from the user's subscription, with one SOCKS port for the tests.
import { z } from "zod";
import { quietPorts } from "../quiet-ports.ts";
import type { Api, UserAnswer } from "./api.ts";
import { Program } from "./processes.ts";

type Json = Readonly<Record<string, unknown>>;
const Outbound = z.looseObject({ protocol: z.string(), settings: z.record(z.string(), z.unknown()) });
const Configuration = z.looseObject({ outbounds: z.array(Outbound).min(1) });
/** A subscription with one entry is the configuration itself. */
const Subscription = z.union([z.array(Configuration).min(1), Configuration.transform((only) => [only])]);

export interface ProxyClient {
  readonly socksPort: number;
  close(): Promise<void>;
}

/**
 * Fetches `/sub/<subId>/xray` and runs what the first entry says. Rejects when the subscription has no entry that v2ray
 * can run.
 */
export async function startClient(api: Api, user: UserAnswer): Promise<ProxyClient> {
  const answer = await api.request("GET", `/sub/${user.subId}/xray`);
  if (answer.status !== 200)
    throw new Error(`the subscription answers ${answer.status}: ${JSON.stringify(answer.body)}`);
  const [entry] = Subscription.parse(answer.body);
  const [outbound] = entry?.outbounds ?? [];
  if (!outbound) throw new Error("the subscription has no entry");
  const [socksPort = 0] = await quietPorts(1);
  const program = new Program({
    command: "v2ray",
    args: ["-config=stdin:"],
    stdin: JSON.stringify(clientConfig(outbound, socksPort)),
  });
  await program.says(/V2Ray [\d.]+ started/);
  return {
    socksPort,
    close: async () => {
      await program.end("SIGTERM");
    },
  };
}

/**
 * The entry's way out behind one SOCKS port. The subscription sends private targets past the proxy; the tests' origin
 * is one, so that rule is left out.
 */
function clientConfig(outbound: Json, socksPort: number): Json {
  return {
    log: { loglevel: "warning" },
    inbounds: [{ listen: "127.0.0.1", port: socksPort, protocol: "socks", settings: { auth: "noauth" } }],
    outbounds: [withoutFlow(outbound)],
  };
}

/** v2ray 4 knows no XTLS Vision and refuses a configuration that names it. */
function withoutFlow(outbound: Json): unknown {
  return JSON.parse(JSON.stringify(outbound, (key, value: unknown) => (key === "flow" ? undefined : value)));
}
