// What was answered is what is on disk: every record whole and no older than its last answer, every answered write in
// the audit log exactly once.
import { isDeepStrictEqual } from "node:util";
import { COLLECTIONS, type Collection, type Known } from "../known.ts";
import { json, type Query } from "./disk.ts";

type Kind = "plain" | "flag" | "json" | "millionths";
interface Shape {
  readonly table: string;
  /** Wire field to column; a column of the same name in snake case where it is left out. */
  readonly fields: Readonly<Record<string, Kind | readonly [column: string, kind: Kind]>>;
}

const SHAPES: Readonly<Record<Collection, Shape>> = {
  users: {
    table: "users",
    fields: {
      name: "plain",
      desc: ["description", "plain"],
      remark: "plain",
      group: ["group_label", "plain"],
      enable: "flag",
      disabledReason: "plain",
      volume: "plain",
      expiry: "plain",
      duration: "plain",
      activatedAt: "plain",
      adminId: "plain",
      allTemplates: "flag",
      templateIds: "json",
      config: "json",
      subId: "plain",
      subToken: "plain",
      createdAt: "plain",
    },
  },
  inbounds: {
    table: "inbounds",
    fields: { tag: "plain", type: "plain", remark: "plain", config: "json", clientConfig: "json", createdAt: "plain" },
  },
  fronts: {
    table: "fronts",
    fields: {
      name: "plain",
      domain: "plain",
      remark: "plain",
      enabled: "flag",
      inboundIds: "json",
      createdAt: "plain",
    },
  },
  outbounds: {
    table: "outbounds",
    fields: { tag: "plain", type: "plain", remark: "plain", config: "json", createdAt: "plain" },
  },
  templates: {
    table: "templates",
    fields: { name: "plain", remark: "plain", route: "json", inboundIds: "json", outboundIds: "json" },
  },
  nodes: {
    table: "nodes",
    fields: {
      name: "plain",
      address: "plain",
      port: "plain",
      remark: "plain",
      linkAddress: "plain",
      enabled: "flag",
      templateId: "plain",
      multiplier: ["multiplier_micros", "millionths"],
    },
  },
  webhooks: {
    table: "webhooks",
    fields: { name: "plain", url: "plain", events: "json", enabled: "flag", ownOnly: "flag" },
  },
  tokens: {
    table: "api_tokens",
    fields: { desc: ["description", "plain"], scopes: "json", rateLimit: "plain", expiry: "plain", adminId: "plain" },
  },
  settings: { table: "settings", fields: { value: "plain", createdAt: "plain" } },
};

function columnOf(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function asAnswered(value: unknown, kind: Kind): unknown {
  switch (kind) {
    case "plain":
      return value;
    case "flag":
      return Boolean(value);
    case "json":
      return json(value);
    case "millionths":
      return Number(value) / 1_000_000;
  }
}

/** Throws at the first record that contradicts its last answer. Resolves to how many were compared whole. */
export async function checkAnswers(query: Query, known: Known): Promise<number> {
  let whole = 0;
  for (const collection of COLLECTIONS) {
    const { table, fields } = SHAPES[collection];
    const rows = await query<Record<string, unknown>>(`select * from ${table}`);
    const stored = new Map(rows.map((row) => [String(row["id"]), row]));
    for (const [id, { version, body }] of known.of(collection)) {
      const row = stored.get(id);
      const name = `${collection}/${id}`;
      if (!row) {
        if (known.isDoomed(collection, id)) continue;
        throw new Error(`${name} was answered and is gone`);
      }
      const at = typeof row["updated_at"] === "number" ? row["updated_at"] : 0;
      if (at < version && "updatedAt" in body)
        throw new Error(`${name} was answered at version ${version}, on disk is ${at}`);
      if (at > version && "updatedAt" in body) continue;
      whole++;
      for (const [field, shape] of Object.entries(fields)) {
        const [column, kind] = typeof shape === "string" ? [columnOf(field), shape] : shape;
        const value = asAnswered(row[column], kind);
        if (!isDeepStrictEqual(value, body[field]))
          throw new Error(
            `${name}: ${field} was answered as ${JSON.stringify(body[field])}, on disk is ${JSON.stringify(value)}`,
          );
      }
    }
    for (const deleted of known.deleted) {
      const [of, id = ""] = deleted.split("/");
      if (of === collection && stored.has(id)) throw new Error(`${deleted} was answered as deleted and is on disk`);
    }
  }
  return whole;
}

interface AuditRow {
  readonly id: number;
  readonly collection: string;
  readonly entity_id: string;
  readonly action: string;
  readonly obj: unknown;
}

/** Fields that carry markers. */
const MARKED: Readonly<Record<string, string>> = {
  users: "desc",
  inbounds: "remark",
  fronts: "remark",
  outbounds: "remark",
  templates: "remark",
  nodes: "remark",
  webhooks: "name",
  tokens: "desc",
  settings: "value",
};

/**
 * Throws unless every answered write has one audit record, every unanswered one at most one, and every refused one
 * none; so each was carried out as often.
 */
export async function checkAudit(query: Query, known: Known): Promise<void> {
  const times = new Map<string, number>();
  const verbs = new Map<string, number>();
  for (const row of await query<AuditRow>("select id, collection, entity_id, action, obj from changes order by id")) {
    const marker = markerOf(row);
    if (marker !== undefined) times.set(marker, (times.get(marker) ?? 0) + 1);
    const verb = `${row.collection}/${row.entity_id} ${row.action.replace(/^(en|dis)able$/, "enabled")}`;
    verbs.set(verb, (verbs.get(verb) ?? 0) + 1);
  }
  for (const marker of known.answered)
    if (times.get(marker) !== 1)
      throw new Error(`command ${marker} was answered and has ${times.get(marker) ?? 0} audit records`);
  for (const marker of known.unanswered)
    if ((times.get(marker) ?? 0) > 1) throw new Error(`command ${marker} was carried out ${times.get(marker)} times`);
  for (const marker of known.refused)
    if (times.has(marker)) throw new Error(`command ${marker} was refused and carried out`);
  const { lost } = known;
  for (const verb of new Set([...known.verbs.keys(), ...lost.keys()])) {
    const answered = known.verbs.get(verb) ?? 0;
    const written = verbs.get(verb) ?? 0;
    if (written < answered || written > answered + (lost.get(verb) ?? 0))
      throw new Error(
        `${verb} was answered ${answered} times, ${lost.get(verb) ?? 0} are open, the audit log has ${written}`,
      );
  }
}

/** What the record says that its change wrote into the marked field. */
function markerOf({ collection, action, obj }: AuditRow): string | undefined {
  const field = MARKED[collection];
  if (field === undefined || (action !== "create" && action !== "update")) return undefined;
  const value = (json(obj) as Record<string, unknown>)[field];
  const written: unknown = action === "update" && Array.isArray(value) ? value[1] : value;
  return typeof written === "string" && /^c\d+$/.test(written) ? written : undefined;
}
