// /api/me/ui: what a person chose of the interface, so that it follows them to another browser (rule access.interface).
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { lock } from "../../db/index.ts";
import { notFound, route, type Route, rule } from "../../http/index.ts";
import type { Access } from "../access.ts";
import { AdminRows } from "../records/admin.entity.ts";
import { InterfaceRows } from "../records/interface.entity.ts";

/** Bytes of the object as JSON in UTF-8. */
const MOST = 64 * 1024;
/** Names that one audit record holds. */
const NAMED = 20;

const Stored = z.record(z.string(), z.unknown()).meta({ id: "MyInterface" });
const Given = Stored.refine((value) => Buffer.byteLength(JSON.stringify(value)) <= MOST, rule("too_many_bytes", MOST));

type Chosen = Readonly<Record<string, unknown>>;

/** Names of the members that differ. The values are the person's own: the audit log does not show them. */
function changedNames(before: Chosen, after: Chosen): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names
    .filter((name) => !isDeepStrictEqual(before[name], after[name]))
    .map((name) => name.slice(0, 64).toWellFormed());
}

export function interfaceRoutes({ reads }: Access): Route[] {
  return [
    route({
      method: "GET",
      path: "/me/ui",
      scope: "-",
      summary: "What the person chose of the interface",
      answer: Stored,
      handle: async ({ caller }) => (await reads.find(InterfaceRows, caller.adminId))?.value ?? {},
    }),
    route({
      method: "PUT",
      path: "/me/ui",
      scope: "-",
      summary: "Keep what the person chose of the interface",
      description: "Replaces the whole object: at most 64 KiB as JSON. Of two writes the later one holds.",
      body: Given,
      answer: Stored,
      audit: { key: "admins", action: "interface" },
      handle: ({ caller, body, commit }) =>
        commit({
          locks: [lock(AdminRows, caller.adminId, "read"), lock(InterfaceRows, caller.adminId)],
          decide(draft) {
            const { id } = draft.find(AdminRows, caller.adminId, "read") ?? notFound("admin", caller.adminId);
            const before = draft.find(InterfaceRows, id)?.value ?? {};
            const changed = changedNames(before, body);
            if (changed.length === 0) return { answer: body, audit: null };
            draft.upsert(InterfaceRows, { id, value: body, updatedAt: draft.time });
            return { answer: body, audit: { entityId: id, obj: { changed: changed.slice(0, NAMED).join(", ") } } };
          },
        }),
    }),
  ];
}
