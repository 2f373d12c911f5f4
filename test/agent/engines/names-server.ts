// A small DNS server: addresses from a table, some in turns, "no such name" for the rest.
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { literalBytes } from "./notations.ts";

type Zone = Readonly<Record<string, { readonly answers: readonly string[]; readonly turns?: true }>>;

export interface NamesServer {
  /** Questions asked so far, in lower case without a dot at the end. */
  readonly asked: ReadonlySet<string>;
  close(): void;
}

export async function startNamesServer(zone: Zone, address: string, port = 53): Promise<NamesServer> {
  const asked = new Set<string>();
  const turns = new Map<string, number>();
  const server = createSocket("udp4");
  server.on("message", (query, from) => {
    const { name, type, end } = question(query);
    asked.add(name);
    const entry = zone[name];
    const turn = turns.get(`${name} ${type}`) ?? 0;
    turns.set(`${name} ${type}`, turn + 1);
    const wanted = (entry?.answers ?? []).filter((one) =>
      type === 1 ? !one.includes(":") : type === 28 && one.includes(":"),
    );
    const given = entry?.turns ? [wanted[turn % wanted.length]].flatMap((one) => one ?? []) : wanted;
    const records = given.map((one) => {
      const bytes = literalBytes({ text: one, form: type === 1 ? "v4" : "v6" });
      // A pointer to the question's name, the type, class IN, no time to live.
      return Buffer.concat([Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, bytes.length]), bytes]);
    });
    const head = Buffer.from([
      query[0] ?? 0,
      query[1] ?? 0,
      0x81,
      entry ? 0x80 : 0x83,
      0,
      1,
      0,
      records.length,
      0,
      0,
      0,
      0,
    ]);
    server.send(Buffer.concat([head, query.subarray(12, end), ...records]), from.port, from.address);
  });
  server.bind(port, address);
  await once(server, "listening");
  return { asked, close: () => server.close() };
}

function question(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join(".").toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}
