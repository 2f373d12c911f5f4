// What the demo prints: a transition, a summary, the block of things to try. Pure text; colours only where asked for.
import { colourOf, type Paint } from "../paint.ts";
import { OWNER } from "./stage.ts";
import type { FeedCounts, FeedRow } from "./feed.ts";

/** `15:42:01  node  oslo  linked.connected → disabled.manual  switchOff`. */
export function transitionLine({ kind, name, at, event, from, to }: FeedRow, paint: Paint): string {
  const time = new Date(at * 1000).toTimeString().slice(0, 8);
  const states = `${paint("dim", from ?? "(new)")} → ${paint(colourOf(to), to)}`;
  // A deadline's event carries the whole path of its state, which stands to the left already.
  const cause = event.replace(/^xstate\.after\.([^.]+)\..*$/, "after $1");
  return `${paint("dim", time)}  ${kind.padEnd(4)} ${paint("bold", name.padEnd(11))}  ${states}  ${paint("dim", cause)}`;
}

/** All counts on one line. */
export function summaryLine(counts: FeedCounts, paint: Paint): string {
  const kinds = Object.entries(counts).flatMap(([kind, states]) => {
    const shown = Object.entries(states).filter(([, count]) => count > 0);
    if (shown.length === 0) return [];
    return [`${kind}s: ${shown.map(([state, count]) => `${paint(colourOf(state), state)} ${count}`).join(", ")}`];
  });
  return `${paint("dim", "──")} ${kinds.join(" | ")}`;
}

export interface Playbill {
  readonly url: string;
  readonly token: string;
  readonly subUrl: string;
  /** Credentials and port of the account on the local node. */
  readonly uuid: string;
  readonly password: string;
  readonly mixedPort: number;
  /** The node at whose address nobody answers. */
  readonly silentNodeId: string;
  /** An account that used up its volume, and a volume of 5 MB more. */
  readonly spent: { readonly id: string; readonly name: string; readonly volume: number };
}

/** The three requests worth trying. Each is one line for a shell. */
export function curlLines({ url, token, silentNodeId, spent }: Playbill): { why: string; line: string }[] {
  const curl = (path: string, more = "") => `curl -s -H 'Authorization: Bearer ${token}'${more} '${url}/api${path}'`;
  const body = ` -X PATCH -H 'Content-Type: application/json' -d '{"volume": ${spent.volume}}'`;
  return [
    { why: "nodes in error", line: curl("/nodes?status=error") },
    { why: "why that node is in this state, and what wakes it next", line: curl(`/actors/node/${silentNodeId}`) },
    {
      why: `${spent.name} ran out: give it 5 MB more, and watch it come back below`,
      line: curl(`/users/${spent.id}`, body),
    },
  ];
}

/** The pages worth a look. */
export function pageLines({ url, silentNodeId, spent }: Playbill): { why: string; line: string }[] {
  return [
    { why: "every chart, with how many stand where and move which way, live", line: `${url}/inspect` },
    {
      why: "a node that nobody answers for: why it is in error, and when it tries again",
      line: `${url}/inspect/node/${silentNodeId}`,
    },
    { why: `${spent.name} ran out: its record, usage and subscription`, line: `${url}/users/${spent.id}` },
  ];
}

/** Everything that a visitor needs, as lines. */
export function block(bill: Playbill, paint: Paint): string[] {
  const field = (name: string, value: string) => `  ${paint("dim", name.padEnd(13))} ${value}`;
  return [
    "",
    field("Panel", paint("bold", bill.url)),
    field("Login", `${OWNER.username} / ${OWNER.password}`),
    field("API token", bill.token),
    field("Subscription", paint("bold", bill.subUrl)),
    field(
      "or a proxy",
      `curl -x socks5h://${bill.uuid}:${bill.password}@127.0.0.1:${bill.mixedPort} ${bill.url}/healthz`,
    ),
    "",
    "  Worth a look in a browser:",
    ...pageLines(bill).flatMap(({ why, line }) => [paint("dim", `  # ${why}`), `  ${line}`]),
    "",
    "  Worth trying in a terminal:",
    ...curlLines(bill).flatMap(({ why, line }) => [paint("dim", `  # ${why}`), `  ${line}`]),
    "",
    paint("dim", "  Transitions as they commit. Ctrl-C ends everything."),
    "",
  ];
}
