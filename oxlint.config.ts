// The layout of the house as lint rules: who may import whom, and which package belongs to which room. `test/layout/`
// proves that breaches are refused.
import { readFileSync } from "node:fs";
import { defineConfig } from "oxlint";

/** Packages that belong to certain rooms only, with the sentence that a stray import gets. */
const PACKAGES = {
  fastify: { group: ["fastify", "@fastify/*"], message: "fastify belongs to src/http, *.routes.ts and *.plugin.ts" },
  orm: { group: ["@mikro-orm/*"], message: "MikroORM belongs to src/db and *.entity.ts" },
  drivers: { group: ["pg", "better-sqlite3", "kysely"], message: "database drivers belong to src/db" },
  x509: {
    group: ["@peculiar/x509", "reflect-metadata"],
    message: "@peculiar/x509 belongs to certificates and to identity.ts of fleet and agent",
  },
  xstate: { group: ["xstate"], message: "xstate belongs to machines, src/runtime and *.actor.ts" },
  grpc: { group: ["@grpc/*", "protobufjs"], message: "gRPC belongs to the engine drivers" },
  browser: {
    group: [
      "react",
      "react-dom",
      "react-dom/*",
      "react-day-picker",
      "@daypicker/*",
      "@mantine/*",
      "@tanstack/*",
      "@tabler/*",
      "@fontsource*/**",
    ].concat(["wouter", "wouter/*", "uplot", "uplot/*", "get-nonce"]),
    message: "what runs in browsers belongs to src/web",
  },
  node: { group: ["node:*"], message: "the interface runs in browsers" },
} as const;

type Package = keyof typeof PACKAGES;

/** Rooms of the server: Node is there for all of them. */
const SERVER = ["node"] as const;

/** `no-restricted-imports` for files that may use only `allowed` of the packages above. */
function packages(files: string[], allowed: readonly Package[]) {
  const patterns = Object.entries(PACKAGES)
    .filter(([name]) => !allowed.some((each) => each === name))
    .map(([, { group, message }]) => ({ group: [...group], message }));
  return { files, rules: { "no-restricted-imports": ["error", { patterns }] as ["error", object] } };
}

/** From one kind of folder to others. */
function allow(from: string | readonly string[], to: readonly string[]) {
  return { from: elements(typeof from === "string" ? [from] : from), allow: { to: elements(to) } };
}

function elements(types: readonly string[]) {
  return { element: { types: { anyOf: [...types] } } };
}

const INFRASTRUCTURE = ["lib", "dialect", "db", "runtime", "http", "machines", "contract", "outgoing"];
/** Folders of the features, as the panel's list names them. */
const FEATURES = Array.from(
  readFileSync(new URL("src/panel/features.ts", import.meta.url), "utf8").matchAll(/from "\.\.\/([\w-]+)\/index\.ts"/g),
  ([, folder = ""]) => folder,
);

export default defineConfig({
  plugins: ["typescript", "import", "unicorn", "promise", "oxc"],
  jsPlugins: ["eslint-plugin-boundaries"],
  categories: { correctness: "error", suspicious: "error" },
  ignorePatterns: ["node_modules", "/migrations"],
  settings: {
    "boundaries/include": ["src/**/*", "machines/**/*"],
    "boundaries/elements": [
      { type: "machines", pattern: "machines" },
      ...[
        "lib",
        "dialect",
        "db",
        "runtime",
        "http",
        "interface",
        "outgoing",
        "protocol",
        "agent",
        "panel",
        "cli",
        "web",
        "client",
      ].map((type) => ({
        type,
        pattern: `src/${type}`,
      })),
      { type: "contract", pattern: "src/feature" },
      { type: "fleet", pattern: "src/fleet" },
      { type: "feature", pattern: `src/(${FEATURES.filter((name) => name !== "fleet").join("|")})`, capture: ["name"] },
      { type: "main", pattern: "src/main.ts", mode: "file" },
      { type: "root", pattern: "src/*.ts", mode: "file" },
    ],
  },
  rules: {
    "import/no-cycle": "error",
    "typescript/no-floating-promises": "error",
    "typescript/no-misused-promises": "error",
    "typescript/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
    "typescript/no-explicit-any": "error",
    // Rows, wire messages and drivers are typed at their boundary by an assertion that a schema or the table's codec
    // has proven.
    "typescript/no-unsafe-type-assertion": "off",
    // A switch over a closed union returns on every branch; the compiler checks that.
    "typescript/consistent-return": "off",
    "unicorn/consistent-function-scoping": "off",
    // Worker threads have no origin.
    "unicorn/require-post-message-target-origin": "off",
    "promise/always-return": "off",
    // `pg` and `better-sqlite3` are CommonJS: their members hang on the default export.
    "import/no-named-as-default-member": "off",
    // `_nodes` of XState's snapshots.
    "no-underscore-dangle": ["error", { allow: ["_nodes"] }],
    "import/no-unassigned-import": ["error", { allow: ["reflect-metadata"] }],
    "no-unused-vars": ["error", { ignoreRestSiblings: true, argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
    "typescript/no-non-null-assertion": "error",
    // A folder that no rule knows would escape them all. A feature is known by its line in `src/panel/features.ts`.
    "boundaries/no-unknown-files": "error",
    "boundaries/dependencies": [
      "error",
      {
        default: "disallow",
        policies: [
          { allow: { to: { module: { origin: "core" } } } },
          { allow: { to: { module: { origin: "external" } } } },
          allow("protocol", ["lib"]),
          allow("dialect", ["lib"]),
          allow("outgoing", ["lib"]),
          allow("agent", ["protocol", "dialect", "lib"]),
          allow("db", ["lib"]),
          allow(["runtime", "http"], ["lib", "db"]),
          allow(["http", "contract"], ["outgoing"]),
          allow("contract", ["lib", "db", "runtime", "http"]),
          allow("interface", ["http"]),
          // What the client does for programs it does for pages and for the demo.
          allow(["web", "cli"], ["client"]),
          // The shapes of the wire, and nothing that runs.
          {
            from: elements(["web"]),
            allow: {
              to: {
                element: {
                  types: { anyOf: ["feature", "fleet", "http", "runtime"] },
                  fileInternalPath: "**/*.schema.ts",
                },
              },
              dependency: { kind: "type" },
            },
          },
          // English has the sentences of an agent's notices, which stand beside their codes.
          {
            from: elements(["web"]),
            allow: { to: { element: { types: { anyOf: ["protocol"] }, fileInternalPath: "notices/*.ts" } } },
          },
          // One rule for what a spreadsheet must not calculate, whoever writes the file.
          {
            from: elements(["web"]),
            allow: {
              to: {
                element: {
                  types: { anyOf: ["lib"] },
                  fileInternalPath: ["csv.ts", "digits.ts", "moments.ts", "name-pattern.ts", "qr-path.ts"],
                },
              },
            },
          },
          allow(["feature", "fleet"], INFRASTRUCTURE),
          allow("fleet", ["protocol"]),
          {
            from: elements(["feature", "fleet"]),
            allow: { to: { element: { types: { anyOf: ["feature", "fleet"] }, fileInternalPath: "index.ts" } } },
          },
          allow("panel", [...INFRASTRUCTURE, "feature", "fleet", "root"]),
          allow("cli", [...INFRASTRUCTURE, "interface", "protocol", "agent", "feature", "fleet", "root", "panel"]),
          allow("main", ["root", "lib", "agent", "cli"]),
        ],
      },
    ],
  },
  overrides: [
    { files: ["test/**"], rules: { "typescript/unbound-method": "off" } },
    // Addresses that somebody types are reached by `src/outgoing/` alone (`test/layout/outgoing.test.ts`).
    {
      files: ["src/**"],
      rules: {
        "no-restricted-globals": [
          "error",
          ...["fetch", "WebSocket", "EventSource"].map((name) => ({
            name,
            message: "addresses that somebody types are reached by src/outgoing",
          })),
        ],
      },
    },
    // Browsers, programs of others, engines on loopback, and the demo's own panel.
    {
      files: ["src/web/**", "src/client/**", "src/agent/**", "src/cli/demo/**"],
      rules: { "no-restricted-globals": "off" },
    },
    packages(["src/**"], SERVER),
    packages(["src/agent/engines/**"], [...SERVER, "grpc"]),
    packages(["src/runtime/**", "src/**/*.actor.ts"], [...SERVER, "xstate"]),
    packages(["src/certificates/**", "src/fleet/link/identity.ts", "src/agent/identity.ts"], [...SERVER, "x509"]),
    packages(["src/http/**", "src/**/*.routes.ts", "src/**/*.plugin.ts"], [...SERVER, "fastify"]),
    packages(["src/**/*.entity.ts"], [...SERVER, "orm"]),
    packages(["src/db/**"], [...SERVER, "orm", "drivers"]),
    packages(["src/web/**"], ["browser"]),
    // Runs in Node, Deno and browsers, with nothing beside it.
    packages(["src/client/**"], []),
    packages(["src/web/vite.config.ts", "src/web/vite/**"], SERVER),
    {
      files: ["src/web/**", "test/web/plots/**"],
      plugins: ["typescript", "import", "unicorn", "promise", "oxc", "react", "jsx-a11y"],
      rules: {
        // Names, remarks and user agents come from strangers: they are text.
        "react/no-danger": "error",
        "react/rules-of-hooks": "error",
        "react/exhaustive-deps": "error",
        // The compiler's JSX needs no React in sight.
        "react/react-in-jsx-scope": "off",
        // Styles are imported for their effect.
        "import/no-unassigned-import": ["error", { allow: ["**/*.css", "@fontsource-variable/*"] }],
      },
    },
    {
      files: ["machines/**"],
      rules: {
        "no-restricted-imports": [
          "error",
          {
            patterns: [
              { group: ["*", "**/*", "!xstate", "!./*"], message: "a chart imports only xstate and its neighbours" },
            ],
          },
        ],
      },
    },
  ],
});
