// What is stored, read beside the panel: whose rows a call changed, and whether the database says of accounts and
// owners what the model says.
import { createHash } from "node:crypto";
import BetterSqlite from "better-sqlite3";
import pg from "pg";
import type { Call } from "./call.ts";
import { FEATURES } from "./features.ts";
import { closure, type Model } from "./model.ts";
import { RULES, type Rows } from "./rules.ts";

export type Row = Readonly<Record<string, unknown>>;
/** Rows by table and key. */
export type Books = ReadonlyMap<string, ReadonlyMap<string, Row>>;

/** Tables that people's calls write, and their key. */
const TABLES: Readonly<Record<string, string>> = {
  admins: "id",
  admin_interfaces: "id",
  roles: "id",
  api_tokens: "id",
  sessions: "id",
  pending_logins: "id",
  oidc_providers: "id",
  oidc_links: "id",
  users: "id",
  inbounds: "id",
  outbounds: "id",
  fronts: "id",
  templates: "id",
  nodes: "id",
  webhooks: "id",
  settings: "id",
  ...Object.fromEntries(FEATURES.flatMap(({ tables = [] }) => tables.map((table) => [table, "id"]))),
};

/** Columns that the panel writes by itself: charts' states, times of use. */
const BY_ITSELF =
  /^(rev|m[a-z]+|due_at|fault_.*|wake_at|since|last_.*|used|assignments|applied.*|revision.*|core_version|info.*|node_version|arch|setup|message|warnings|pin.*|updated_at|expires_at|ip|linkings)$/;

export interface Ledger {
  read(): Promise<Books>;
  close(): Promise<void>;
}

/** Opens the database that a panel runs on, for reading. */
export async function openLedger(url: string): Promise<Ledger> {
  if (url.startsWith("sqlite:")) {
    const database = new BetterSqlite(url.slice("sqlite:".length), { readonly: true });
    const read = Object.keys(TABLES).map((table) => [table, database.prepare(`select * from ${table}`)] as const);
    return {
      read: async () =>
        booksOf(Object.fromEntries(read.map(([table, statement]) => [table, statement.all() as Row[]]))),
      close: async () => void database.close(),
    };
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const parts = Object.keys(TABLES).map((table) => `'${table}', (select coalesce(json_agg(t), '[]') from ${table} t)`);
  return {
    read: async () =>
      booksOf(
        (await client.query<{ books: Record<string, Row[]> }>(`select json_build_object(${parts.join(", ")}) as books`))
          .rows[0]?.books ?? {},
      ),
    close: () => client.end(),
  };
}

function booksOf(tables: Readonly<Record<string, readonly Row[]>>): Books {
  return new Map(
    Object.entries(tables).map(([table, rows]) => [
      table,
      new Map(rows.map((row) => [String(row[TABLES[table] ?? "id"]), row])),
    ]),
  );
}

/** A row without what the panel writes by itself, as text. */
function written(row: Row | undefined): string {
  if (!row) return "";
  return JSON.stringify(Object.entries(row).filter(([column]) => !BY_ITSELF.test(column)));
}

export interface Changed {
  readonly table: string;
  readonly key: string;
  readonly before: Row | undefined;
  readonly after: Row | undefined;
}

export function changesOf(before: Books, after: Books): Changed[] {
  return [...after].flatMap(([table, rows]) => {
    const old = before.get(table) ?? new Map<string, Row>();
    return [...new Set([...old.keys(), ...rows.keys()])]
      .map((key) => ({ table, key, before: old.get(key), after: rows.get(key) }))
      .filter((change) => written(change.before) !== written(change.after));
  });
}

/** What a call changed that the model does not let it. `allowed`: it succeeded as the model says. */
export function trespasses(changes: readonly Changed[], call: Call, allowed: boolean, model: Model): string[] {
  const writes = allowed ? (RULES[call.route]?.writes ?? {}) : {};
  return changes
    .filter((change) => !within(writes[change.table], change, call, model))
    .map(
      ({ table, key, before, after }) =>
        `${allowed ? "" : "a refused call "}changed ${table} ${key}: ${difference(before, after)}`,
    );
}

function within(rows: Rows | undefined, { table, key, before, after }: Changed, call: Call, model: Model): boolean {
  const by = model.reach(call.by);
  const account = String(model.things.get(`admins/${by?.account ?? ""}`)?.id ?? "");
  // A reseller writes no account but its own ones, whatever the route allows.
  if (
    table === "users" &&
    by?.base === "resale" &&
    [before, after].some((row) => row && String(row["admin_id"]) !== account)
  )
    return false;
  const given = call.path?.["id"] ?? call.path?.["key"] ?? "";
  const id = given.startsWith("@") ? String(model.things.get(given.slice(1))?.id ?? "") : given;
  // Accounts, and what is kept of them under their own ids.
  const holder = table.startsWith("admin") ? key : idText((before ?? after)?.["admin_id"]);
  switch (rows) {
    case "any":
      return true;
    case "new":
      return before === undefined;
    case "target":
      return key === id;
    case "ofTarget":
      return holder === id;
    case "own":
      return holder === account;
    case undefined:
      return false;
  }
}

const idText = (id: unknown): string => (typeof id === "number" ? String(id) : "");

function difference(before: Row | undefined, after: Row | undefined): string {
  if (!before || !after) return before ? "gone" : "new";
  const columns = Object.keys(after).filter(
    (column) => !BY_ITSELF.test(column) && JSON.stringify(before[column]) !== JSON.stringify(after[column]),
  );
  return columns.join(", ");
}

const listOf = (value: unknown): string[] =>
  typeof value === "string" ? (JSON.parse(value) as string[]) : (value as string[]);

/** Where the database gives more, less or other rights than the model: roles, accounts on them, tokens, owners. */
export function disagreements(books: Books, model: Model): string[] {
  const rowsOf = (table: string) => [...(books.get(table)?.values() ?? [])];
  const roleNames = new Map(rowsOf("roles").map((row) => [String(row["id"]), String(row["name"])]));
  const names = new Map(rowsOf("admins").map((row) => [String(row["id"]), String(row["username"])]));
  const nameOf = (id: unknown) => names.get(String(id)) ?? "";
  const scopes = (list: Iterable<string>) => [...closure(list)].toSorted().join(" ");
  const stored = new Set<string>();
  for (const row of rowsOf("roles"))
    if (!row["builtin"])
      stored.add(`role ${String(row["name"])} ${String(row["base"])}: ${scopes(listOf(row["scopes"]))}`);
  for (const row of rowsOf("admins")) {
    const marks = ["owner", "users_read_only", "plans_only"].map((column) => (row[column] ? 1 : 0)).join("");
    stored.add(
      `account ${nameOf(row["id"])}: ${roleNames.get(String(row["role_id"])) ?? ""} ${marks}${Number(row["two_factor_at"]) > 0 ? 1 : 0}`,
    );
  }
  for (const row of rowsOf("api_tokens"))
    stored.add(
      `token ${String(row["description"])} of ${nameOf(row["admin_id"])}: ${roleNames.get(String(row["role_id"])) ?? ""} [${scopes(listOf(row["scopes"]))}]`,
    );
  const providers = new Map(rowsOf("oidc_providers").map((row) => [String(row["id"]), String(row["name"])]));
  for (const row of rowsOf("oidc_links"))
    stored.add(
      `link ${providers.get(String(row["provider_id"])) ?? ""}/${String(row["subject"])}: ${nameOf(row["admin_id"])}`,
    );
  for (const row of rowsOf("users")) stored.add(`user ${String(row["name"])}: ${nameOf(row["admin_id"])}`);

  const meant = new Set<string>();
  for (const role of model.roles.values())
    if (!role.builtin) meant.add(`role ${role.name} ${role.base}: ${scopes(role.scopes)}`);
  for (const { name, role, owner, usersReadOnly, plansOnly, seed } of model.accounts.values())
    meant.add(`account ${name}: ${role} ${[owner, usersReadOnly, plansOnly, seed !== ""].map(Number).join("")}`);
  for (const { label, via, account, role = "", scopes: own = [] } of model.credentials.values())
    if (via === "token") meant.add(`token ${label} of ${account}: ${role} [${scopes(own)}]`);
  for (const name of model.names("links")) meant.add(`link ${name}: ${model.things.get(`links/${name}`)?.owner ?? ""}`);
  for (const name of model.names("users")) meant.add(`user ${name}: ${model.things.get(`users/${name}`)?.owner ?? ""}`);
  return [
    ...[...stored].filter((each) => !meant.has(each)).map((each) => `stored, not meant: ${each}`),
    ...[...meant].filter((each) => !stored.has(each)).map((each) => `meant, not stored: ${each}`),
  ];
}

/** The id of a session by its cookie, of which only the hash is stored. */
export function sessionId(books: Books, cookie: string): number {
  const hash = createHash("sha256")
    .update(cookie.slice(cookie.indexOf("=") + 1))
    .digest("hex");
  return Number([...(books.get("sessions")?.values() ?? [])].find((row) => row["hash"] === hash)?.["id"] ?? 0);
}

/** The id of a link by what the model calls it: `links/provider/subject`. */
export function linkId(books: Books, key: string, model: Model): number {
  const [, provider = "", subject = ""] = key.split("/");
  const of = model.things.get(`oidc-providers/${provider}`)?.id;
  return Number(
    [...(books.get("oidc_links")?.values() ?? [])].find(
      (row) => row["subject"] === subject && row["provider_id"] === of,
    )?.["id"] ?? 0,
  );
}
