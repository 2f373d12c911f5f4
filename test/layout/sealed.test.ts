// Secrets at rest: a column whose name says that it holds one is sealed, holds a hash, or is listed here with the
// reason. Sealing names its column by the entity, so no column is sealed that does not say so.
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { sealedColumns } from "../../src/db/index.ts";
import { PANEL } from "../../src/panel/features.ts";

const columns = PANEL.entities.flatMap(({ name, schema }) =>
  Object.entries<{ type: unknown }>(schema.meta.properties).map(([property, { type }]) => ({
    place: `${name}.${property}`,
    property,
    type: typeof type === "function" ? type.name : (type?.constructor.name ?? ""),
  })),
);
const sealed = sealedColumns(PANEL.entities);

/** Names of what only the panel, or the panel and one person, may know. */
const SECRET =
  /secret|token|pass(word|phrase|wd|code)|private|seed|enrolment|verifier|credential|recovery|otp|psk|uuid|(?<!public)keys?$|subId/i;
const HASH = /hash(es)?$/i;
/** Numbers and flags hold none. */
const TEXTS = /Text|Json|Sealed|String/;

const REASONS: Readonly<Record<string, string>> = {
  "admins.totpUsed": "numbers of time steps",
  "admins.usernameKey": "the username in small letters",
  "deleted_users.subId": "as in users, for an account that may come back",
  "jobs.requestKey": "a digest that names a request",
  "oidc_providers.tokenUrl": "an address",
  "sessions.enrolmentBoot": "names a run of the panel",
  "shared_credentials.credentialId": "a digest by which equal credentials meet",
  "users.subId": "found by its value with each fetch, and shown in the account's link",
  "users.subToken": "found by its value with each fetch, and shown in the account's link",
};

// rule certificates.secret.7
test("columns that are named like secrets are sealed, hashed, or have a reason", () => {
  const suspicious = columns.filter(({ property, type }) => SECRET.test(property) && TEXTS.test(type));
  expect(suspicious.length).toBeGreaterThan(10);
  const kept = new Set(sealed.map(({ table, property }) => `${table}.${property}`));
  const bare = suspicious.filter(({ place, property }) => !kept.has(place) && !HASH.test(property));
  expect(bare.map(({ place }) => place).toSorted()).toEqual(Object.keys(REASONS).toSorted());
});

/** Files that seal what no column holds. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  "src/lib/seal.ts": "sealing itself",
  "src/backups/archive/make-archive.ts": "archives, which have the secrets of every declared column",
  "src/events/log-cursor.ts": "cursors, which clients keep",
  "src/backups/restore/kept.ts": "all sealed columns, as tables name them",
  "src/backups/load/intake.ts": "all sealed columns, as tables name them",
  "src/backups/load/complete.ts": "all sealed columns, as tables name them",
};

test("what is sealed is sealed to a declared column", () => {
  const root = new URL("../../", import.meta.url);
  const sealing = globSync("src/**/*.ts", { cwd: root }).filter((file) => {
    const text = readFileSync(new URL(file, root), "utf8");
    return /\b(sealSecret|openSecret)\(/.test(text) && !/\b(sealPlace|seedPlace|sealedColumns)\(/.test(text);
  });
  expect(sealing.toSorted()).toEqual(Object.keys(ELSEWHERE).toSorted());
  const texts = new Set(sealed.map(({ table, property }) => `${table}.${property}`));
  expect(texts.size).toBeGreaterThan(7);
});
