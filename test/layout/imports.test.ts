// The import rules of `oxlint.config.ts`: a tree of breaches, one a file, is linted with the project's own
// configuration, beside a tree of good neighbours.
import { execFile } from "node:child_process";
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** What is imported in the trees. */
const TARGETS = [
  "machines/user.ts",
  "src/lib/clock.ts",
  "src/dialect/index.ts",
  "src/db/index.ts",
  "src/runtime/index.ts",
  "src/http/index.ts",
  "src/protocol/plan.ts",
  "src/agent/server.ts",
  "src/cli/serve.cli.ts",
  "src/main.ts",
  "src/panel/entities.ts",
  "src/accounts/index.ts",
  "src/accounts/records/user.entity.ts",
  "src/accounts/users/users.schema.ts",
  "src/system/actors/actors.schema.ts",
  "src/pool/index.ts",
  "src/fleet/index.ts",
  "src/interface/index.ts",
  "src/outgoing/index.ts",
  "src/web/parts/DataTable.tsx",
  "src/two-words/index.ts",
];

const GOOD: Record<string, string> = {
  "machines/node.ts": 'import "./user.ts"; import "xstate";',
  "src/runtime/step.ts": 'import "../db/index.ts"; import "../lib/clock.ts"; import "xstate";',
  "src/http/server.ts": 'import "../db/index.ts"; import "fastify";',
  "src/db/store.ts": 'import "pg"; import "../lib/clock.ts"; import "@mikro-orm/core";',
  "src/dialect/walk.ts": 'import "../lib/clock.ts"; import "zod";',
  "src/agent/link.ts":
    'import "../protocol/plan.ts"; import "../dialect/index.ts"; import "../lib/clock.ts"; import "node:fs";',
  "src/pool/inbounds.commands.ts":
    'import "../dialect/index.ts"; import "../accounts/index.ts"; import "../runtime/index.ts"; import "../../machines/user.ts";',
  "src/pool/inbound.entity.ts": 'import "@mikro-orm/core";',
  "src/pool/inbounds.routes.ts": 'import "../http/index.ts"; import "fastify";',
  "src/two-words/outside.ts": 'import "../accounts/index.ts"; import "../db/index.ts";',
  "src/fleet/link/sync.ts": 'import "../protocol/plan.ts"; import "../accounts/index.ts";',
  "src/pool/asking.ts":
    'import { one } from "../outgoing/index.ts"; export const ask = (fetch: typeof one, url: string) => fetch(url);',
  "src/http/refusals.ts": 'import "../outgoing/index.ts";',
  "src/outgoing/dial.ts": 'import "../lib/clock.ts"; import "node:net";',
  "src/cli/demo/serving.ts": "export const asked = fetch('http://127.0.0.1');",
  "src/fleet/link/identity.ts": 'import "@peculiar/x509";',
  "src/cli/demo.cli.ts": 'import "../agent/server.ts"; import "../entities.ts"; import "../interface/index.ts";',
  "src/interface/build.ts": 'import "../http/index.ts"; import "node:fs"; import "vite";',
  "src/web/users/UsersPage.tsx":
    'import type {} from "../../accounts/users/users.schema.ts"; import type {} from "../../system/actors/actors.schema.ts"; import "../parts/DataTable.tsx"; import "react";',
  "src/web/vite.config.ts": 'import "node:url"; import "vite";',
};

const BAD: Record<string, string> = {
  "machines/clocked.ts": 'import "../src/lib/clock.ts";',
  "machines/reading.ts": 'import "node:fs";',
  "src/lib/upwards.ts": 'import "../db/index.ts";',
  "src/dialect/upwards.ts": 'import "../pool/index.ts";',
  "src/dialect/telling.ts": 'import "../protocol/plan.ts";',
  "src/protocol/knowing.ts": 'import "../dialect/index.ts";',
  "src/db/upwards.ts": 'import "../runtime/index.ts";',
  "src/runtime/sideways.ts": 'import "../http/index.ts";',
  "src/runtime/knowing.ts": 'import "../../machines/user.ts";',
  "src/http/upwards.ts": 'import "../accounts/index.ts";',
  "src/protocol/upwards.ts": 'import "../agent/server.ts";',
  "src/agent/database.ts": 'import "../db/index.ts";',
  "src/agent/feature.ts": 'import "../fleet/index.ts";',
  "src/pool/inside.ts": 'import "../accounts/records/user.entity.ts";',
  "src/pool/inside-type.ts": 'import type {} from "../accounts/records/user.entity.ts";',
  "src/pool/protocol.ts": 'import "../protocol/plan.ts";',
  "src/pool/command.ts": 'import "../cli/serve.cli.ts";',
  "src/pool/root.ts": 'import "../main.ts";',
  "src/cli/root.ts": 'import "../main.ts";',
  "src/panel/root.ts": 'import "../main.ts";',
  "src/pool/serving.ts": 'import "fastify";',
  "src/runtime/storing.ts": 'import "@mikro-orm/core";',
  "src/pool/stored.ts": 'import type {} from "@mikro-orm/core";',
  "src/pool/queried.ts": 'import "pg";',
  "src/pool/filed.ts": 'import "better-sqlite3";',
  "src/fleet/signed.ts": 'import "@peculiar/x509";',
  "src/pool/charted.ts": 'import "xstate";',
  "src/interface/feature.ts": 'import "../pool/index.ts";',
  "src/pool/built.ts": 'import "../interface/index.ts";',
  "src/http/drawn.ts": 'import "../web/parts/DataTable.tsx";',
  "src/panel/surface.ts": 'import "../web/parts/DataTable.tsx";',
  "src/pool/rendered.ts": 'import "react";',
  "src/cli/mantled.ts": 'import "@mantine/core";',
  "src/web/users/schema.ts": 'import "../../accounts/users/users.schema.ts";',
  "src/web/users/feature.ts": 'import type {} from "../../accounts/index.ts";',
  "src/web/users/entity.ts": 'import type {} from "../../accounts/records/user.entity.ts";',
  "src/web/users/lib.ts": 'import "../../lib/clock.ts";',
  "src/web/inspect/machine.ts": 'import "../../../machines/user.ts";',
  "src/web/inspect/charted.ts": 'import "xstate";',
  "src/web/users/files.ts": 'import "node:fs";',
  "src/two-words/inside.ts": 'import "../accounts/records/user.entity.ts";',
  "src/outgoing/upwards.ts": 'import "../http/index.ts";',
  "src/agent/outgoing.ts": 'import "../outgoing/index.ts";',
  "src/db/outgoing.ts": 'import "../outgoing/index.ts";',
  "src/pool/fetched.ts": "export const asked = fetch('https://example.com');",
  "src/pool/streamed.ts": "export const asked = new WebSocket('wss://example.com');",
  "src/nobody-knows/it.ts": "export {};",
};

const Report = z.object({
  diagnostics: z.array(z.object({ filename: z.string(), code: z.string(), message: z.string() })),
});
const LAYOUT_RULES = /^(boundaries|eslint\(no-restricted-(imports|globals)\)|import\(no-cycle\)|react\(no-danger\))/;

let folder: string;
/** Layout findings by file. */
let found: Map<string, string[]>;

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "signalbox-layout-")));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  mkdirSync(join(folder, "src/panel"), { recursive: true });
  for (const file of ["oxlint.config.ts", "package.json", "tsconfig.json", "src/panel/features.ts"])
    copyFileSync(join(root, file), join(folder, file));
  appendFileSync(join(folder, "src/panel/features.ts"), 'import { feature as two } from "../two-words/index.ts";\n');
  for (const target of TARGETS) write(target, "export {};");
  for (const [file, text] of [...Object.entries(GOOD), ...Object.entries(BAD)]) write(file, text);
  write("src/events/one.ts", 'import "./two.ts"; export const one = 1;');
  write("src/events/two.ts", 'import { one } from "./one.ts"; export const two = one;');
  write(
    "src/web/users/markup.tsx",
    "export const remark = (text: string) => <p dangerouslySetInnerHTML={{ __html: text }} />;",
  );
  found = new Map();
  for (const { filename, code, message } of await lint()) {
    if (LAYOUT_RULES.test(code)) found.set(filename, [...(found.get(filename) ?? []), `${code} ${message}`]);
  }
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(file: string, text: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), `${text}\n`);
}

function lint(): Promise<z.infer<typeof Report>["diagnostics"]> {
  const command = [join(root, "node_modules/oxlint/bin/oxlint"), "-f", "json", "src", "machines"];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, command, { cwd: folder, maxBuffer: 1e8 }, (error, stdout, stderr) => {
      try {
        resolve(Report.parse(JSON.parse(stdout)).diagnostics);
      } catch (cause) {
        reject(new Error(`oxlint gave no report: ${stderr || stdout || (error?.message ?? "")}`, { cause }));
      }
    });
  });
}

test.each(Object.keys(GOOD))("%s may import what it imports", (file) => {
  expect(found.get(file)).toBeUndefined();
});

test.each(Object.entries(BAD))("%s is refused: %s", (file) => {
  expect(found.get(file)).not.toBeUndefined();
});

test("text of strangers cannot become markup", () => {
  expect(found.get("src/web/users/markup.tsx")?.[0]).toMatch(/no-danger/);
});

test("a circle of imports is refused", () => {
  expect(found.get("src/events/one.ts")?.[0]).toMatch(/no-cycle/);
});
