// The description as others read it, against a real panel: validators, generators of clients with what they made put to
// use, and a fuzzer that goes by the schemas. `npm run generators`; needs `scripts/install-generators`.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { WholePanel } from "../whole-panel.ts";

const ROOT = join(import.meta.dirname, "../..");
const TOOLS = join(ROOT, ".generators");
const WORK = join(TOOLS, "work");
const python = (name: string) => join(TOOLS, "python/bin", name);
const node = (file: string) => join(TOOLS, "node_modules", file);
const SECONDS = process.env["SIGNALBOX_FUZZ_SECONDS"] ?? "60";
/** One seed, so that a run finds what the one before found; others on demand. */
const SEED = process.env["SIGNALBOX_SEED"] ?? "20261122";

/** What would take the panel from under the fuzzer: its restart, its settings, its token, sign-ins. */
const LEFT_ALONE = ["restartPanel", "setSetting", "deleteToken"];

/** A client of the types that openapi-typescript made. */
const TYPED_USE = `import type { components, operations } from "./api";
type Schemas = components["schemas"];
export const body: Schemas["UserCreate"] = { name: "anna", volume: 1 };
export const reason = (user: Schemas["User"]): "volume" | string => user.disabledReason;
export type Page = operations["listUsers"]["responses"][200]["content"]["application/json"];
export const names = (page: Page): string[] => page.items.map(({ name }) => name);
export const current = (refused: Schemas["VersionConflict"]): unknown => refused.current;
export const changed = (event: Schemas["UserCreatedEvent"]): number | undefined => event.data.userId;
`;

/** A user is made and listed by the Python client. */
const PYTHON_USE = `import sys
from client import AuthenticatedClient
from client.api.users import create_user, list_users
from client.models import Error, User, UserCreate
url, token = sys.argv[1:]
client = AuthenticatedClient(base_url=url, token=token)
made = create_user.sync(client=client, body=UserCreate(name="by-python", volume=1))
assert isinstance(made, User) and made.volume == 1, made
assert made.id in [user.id for user in list_users.sync(client=client, q="by-python").items]
refused = create_user.sync(client=client, body=UserCreate(name="by-python"))
assert not isinstance(refused, User) and refused.code == "duplicate", refused
`;

const MODELS_USE = `import json, sys, urllib.request
from models import User, UserCreatedEvent, UserPage
request = urllib.request.Request(sys.argv[1] + "/api/v1/users", headers={"Authorization": "Bearer " + sys.argv[2]})
page = UserPage.model_validate(json.load(urllib.request.urlopen(request)))
assert isinstance(page.items[0], User) and page.total >= 1
`;

/** Runs a program; resolves to whether it went well, and prints what it said where it did not. */
function succeeds(name: string, command: string, args: readonly string[]): Promise<boolean> {
  const began = performance.now();
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: WORK, stdio: ["ignore", "pipe", "pipe"] });
    let said = "";
    const listen = (part: Buffer) => {
      said += part.toString();
    };
    child.stdout.on("data", listen);
    child.stderr.on("data", listen);
    const end = (well: boolean) => {
      const seconds = ((performance.now() - began) / 1000).toFixed(1);
      console.log(`${well ? "passed" : "FAILED"}  ${name} (${seconds} s)`);
      // A fuzzer prints what it sent, which may be one line of many thousand characters.
      if (!well) console.log(said.replaceAll(/(.{400}).+/g, "$1 …").slice(-40_000));
      resolve(well);
    };
    child.on("error", (error) => {
      said += error.message;
      end(false);
    });
    child.on("close", (code) => end(code === 0));
  });
}

async function tryAll(panel: WholePanel): Promise<string[]> {
  const document = join(WORK, "openapi.json");
  writeFileSync(document, JSON.stringify((await panel.call("GET", "/api/openapi.json")).body));
  writeFileSync(join(WORK, "openapi.yaml"), (await panel.call("GET", "/api/openapi.yaml")).text);
  writeFileSync(join(WORK, "use.ts"), TYPED_USE);
  writeFileSync(join(WORK, "use_client.py"), PYTHON_USE);
  writeFileSync(join(WORK, "use_models.py"), MODELS_USE);
  const failed: string[] = [];
  const step = async (name: string, command: string, ...args: string[]): Promise<void> => {
    if (!(await succeeds(name, command, args))) failed.push(name);
  };
  const { execPath } = process;
  const strict = ["--noEmit", "--strict", "--target", "es2022", "--module", "nodenext", "--skipLibCheck", "false"];
  const models = ["--input-file-type", "openapi", "--output-model-type", "pydantic_v2.BaseModel"];
  const { url, token } = panel;
  await step("openapi-spec-validator", python("openapi-spec-validator"), document);
  await step("openapi-spec-validator, YAML", python("openapi-spec-validator"), "openapi.yaml");
  await step("Redocly", execPath, node("@redocly/cli/bin/cli.js"), "lint", "--extends=recommended", document);
  await step("openapi-typescript", execPath, node("openapi-typescript/bin/cli.js"), document, "-o", "api.d.ts");
  await step("types in use", execPath, node("typescript/bin/tsc"), ...strict, "use.ts");
  const made = ["generate", "--path", document, "--output-path", "client", "--meta", "none"];
  await step("openapi-python-client", python("openapi-python-client"), ...made);
  await step("its client in use", python("python"), "use_client.py", url, token);
  await step(
    "datamodel-code-generator",
    python("datamodel-codegen"),
    "--input",
    document,
    "--output",
    "models.py",
    ...models,
  );
  await step("its models in use", python("python"), "use_models.py", url, token);
  await step("Schemathesis", python("schemathesis"), ...fuzzing(document, panel));
  return failed;
}

/**
 * What is well formed may still be refused (a name is taken, a node is not there), and the fuzzer's own idea of a wrong
 * credential knows no cookies: two of its checks are left out.
 */
function fuzzing(document: string, { url, token }: WholePanel): string[] {
  return [
    `--config-file=${join(import.meta.dirname, "schemathesis.toml")}`,
    "run",
    document,
    `--url=${url}`,
    `--header=Authorization: Bearer ${token}`,
    `--max-time=${SECONDS}`,
    `--seed=${SEED}`,
    "--phases=examples,coverage,fuzzing",
    "--exclude-path-regex=(setup|login|logout|/me/|openapi)",
    ...LEFT_ALONE.map((id) => `--exclude-operation-id=${id}`),
    "--exclude-checks=positive_data_acceptance,ignored_auth",
  ];
}

if (!existsSync(join(TOOLS, "pins"))) {
  console.log("skipped: validators, generators and the fuzzer are not installed (scripts/install-generators)");
  process.exit(process.env["CI"] === "true" ? 1 : 0);
}
rmSync(WORK, { recursive: true, force: true });
mkdirSync(WORK, { recursive: true });
const panel = await WholePanel.open("sqlite");
let failed: string[];
try {
  failed = await tryAll(panel);
} finally {
  await panel.dispose();
}
if (failed.length > 0) console.log(`failed: ${failed.join(", ")}`);
process.exit(failed.length > 0 ? 1 : 0);
