// Every key that sing-box reads, from its sources: the package `option`, and which struct belongs to which type from
// what its parts register.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readGoPackage, textConstants } from "./go-structs.ts";
import { type KeyList, listKeys, type Registered } from "./key-list.ts";

/** Where each kind of part registers, and the block whose `type` picks it. */
const KINDS: Readonly<Record<string, string>> = {
  inbound: "Inbound",
  outbound: "Outbound",
  endpoint: "Endpoint",
  dns: "DNSServerOptions",
  boxService: "Service",
  service: "Service",
};

export function singBoxKeys(version: string, sources: string): KeyList {
  const constants = textConstants(join(sources, "constant"));
  const go = readGoPackage(join(sources, "option"), constants);
  const roots = { configuration: "Options" };
  return { engine: "sing-box", version, roots, blocks: listKeys(roots, go, registrations(sources, constants)) };
}

function registrations(sources: string, constants: ReadonlyMap<string, string>): Registered {
  const kinds: Record<string, { key: string; of: Record<string, string> }> = {
    // Not registered: the older form without a type.
    DNSServerOptions: { key: "type", of: { legacy: "LegacyDNSServerOptions" } },
  };
  const register = /\b(\w+)\.Register(?:Transport)?\[option\.(\w+)\]\(\w+, \w+\.(\w+)/g;
  for (const room of ["protocol", "dns", "service", "include"]) {
    const files = readdirSync(join(sources, room), { recursive: true, encoding: "utf8" }).filter((file) =>
      file.endsWith(".go"),
    );
    for (const file of files.toSorted())
      for (const [, kind = "", struct = "", constant = ""] of readFileSync(join(sources, room, file), "utf8").matchAll(
        register,
      )) {
        const block = KINDS[kind];
        const type = constants.get(constant);
        if (block === undefined || type === undefined)
          throw new Error(`${file}: ${kind} registers ${struct} as ${constant}, which is not known here`);
        const types = (kinds[block] ??= { key: "type", of: {} });
        types.of[type] = struct;
      }
  }
  for (const types of Object.values(kinds))
    types.of = Object.fromEntries(Object.entries(types.of).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return kinds;
}
