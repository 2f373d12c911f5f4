// The server's part of a new feature: a table, three routes, an event, and their tests.
import type { Names } from "./names.ts";

/** Text of each file by its path. */
export type Files = Readonly<Record<string, string>>;

export function serverFiles(names: Names): Files {
  const { folder } = names;
  const src = `src/${folder}`;
  return {
    [`${src}/index.ts`]: `// What the panel uses of ${names.many}.\nexport { feature } from "./feature.ts";\n`,
    [`${src}/feature.ts`]: feature(names),
    [`${src}/${folder}.events.ts`]: events(names),
    [`${src}/${folder}.words.ts`]: words(names),
    [`${src}/${names.folder.slice(0, -1)}.entity.ts`]: entity(names),
    [`${src}/${folder}.schema.ts`]: schema(names),
    [`${src}/${folder}.commands.ts`]: commands(names),
    [`${src}/${folder}.routes.ts`]: routes(names),
    [`test/${folder}/${folder}.test.ts`]: test(names),
    [`test/${folder}/privilege.ts`]: privilege(names),
    [`docs/rules/${folder}.md`]: rules(names),
  };
}

const feature = ({ folder, many, Type, variables }: Names) => `// ${sentence(many)} as the panel takes them.
import type { AnyFeature, Core, Opened } from "../feature/index.ts";
import { ${variables}Events } from "./${folder}.events.ts";
import { ${variables}Routes } from "./${folder}.routes.ts";
import { ${variables}Words } from "./${folder}.words.ts";
import { ${Type}Rows } from "./${folder.slice(0, -1)}.entity.ts";

function open({ outbox, reads }: Core<never, keyof typeof ${variables}Events>): Opened {
  return { routes: ${variables}Routes({ outbox, reads }) };
}

export const feature = {
  name: "${folder}",
  entities: [${Type}Rows],
  events: ${variables}Events,
  words: ${variables}Words,
  open,
} as const satisfies AnyFeature;
`;

const events = ({
  one,
  many,
  family,
  variables,
  variable,
}: Names) => `// What happens to ${many}: the events of this room, as data (docs/events.md).
import { defineEvents } from "../feature/index.ts";

export const ${variables}Events = defineEvents("${family}", "settings:read", {
  created: ["a ${one} was added", { ${variable}Id: "integer", name: "string" }],
});
`;

const words = ({ one, many, Type, variable, variables }: Names) => `// What the description of the API says of ${many}.
import type { Words } from "../http/index.ts";

export const ${variables}Words: Words = {
  ${Type}: "A ${one}.",
  ${Type}Fields: "A new ${one}.",
  "${Type}.name": "What operators call it.",
  "${Type}Fields.name": "What operators call it.",
  ${variable}Id: "The id of the ${one}.",
};
`;

const entity = ({ many, table, Type }: Names) => `// ${sentence(many)} as rows.
import { defineEntity, p } from "@mikro-orm/core";
import { entity, type RowOf } from "../db/index.ts";

export const ${Type}Rows = entity(
  defineEntity({
    name: "${Type}",
    tableName: "${table}",
    properties: {
      id: p.bigint("number").primary().autoincrement(false),
      name: p.text(),
      /** Unix seconds. */
      createdAt: p.bigint("number"),
      updatedAt: p.bigint("number"),
    },
  }),
);
export type ${Type}Row = RowOf<typeof ${Type}Rows>;
`;

const schema = ({ folder, many, Type, variable }: Names) => `// ${sentence(many)} on the wire.
import { z } from "zod";
import { count, line, unixTime } from "../http/index.ts";
import type { ${Type}Row } from "./${folder.slice(0, -1)}.entity.ts";

/** Body of a create. */
export const ${Type}Fields = z.object({ name: line(128).min(1) }).meta({ id: "${Type}Fields" });
export type ${Type}Body = z.output<typeof ${Type}Fields>;

export const ${Type}View = z
  .object({ id: count, name: z.string(), createdAt: unixTime, updatedAt: unixTime })
  .meta({ id: "${Type}" });
export type ${Type}Answer = z.input<typeof ${Type}View>;

export function ${variable}View(row: Readonly<${Type}Row>): ${Type}Answer {
  return { ...row };
}
`;

const commands = ({ folder, one, many, Type }: Names) => `// What changes ${many}: parts of a commit.
import type { Draft } from "../db/index.ts";
import { notFound } from "../http/index.ts";
import { ${Type}Rows, type ${Type}Row } from "./${folder.slice(0, -1)}.entity.ts";
import type { ${Type}Body } from "./${folder}.schema.ts";

export function create${Type}(draft: Draft, body: ${Type}Body): Readonly<${Type}Row> {
  const row = { id: draft.nextId(${Type}Rows.name), ...body, createdAt: draft.time, updatedAt: draft.time };
  draft.insert(${Type}Rows, row);
  return row;
}

/** Returns the row as it was. Throws 404 where there is none. */
export function delete${Type}(draft: Draft, id: number): Readonly<${Type}Row> {
  const row = draft.find(${Type}Rows, id) ?? notFound("${one}", id);
  draft.delete(${Type}Rows, id);
  return row;
}
`;

const routes = ({
  folder,
  one,
  many,
  family,
  Type,
  variable,
  variables,
}: Names) => `// ${sentence(many)} (rules ${folder}.record).
import { lock, type Reader } from "../db/index.ts";
import { idParams, listRoute, okAnswer, pageOf, route, type Route } from "../http/index.ts";
import type { Outbox } from "../runtime/index.ts";
import { create${Type}, delete${Type} } from "./${folder}.commands.ts";
import { ${Type}Rows } from "./${folder.slice(0, -1)}.entity.ts";
import { ${Type}Fields, ${variable}View, ${Type}View } from "./${folder}.schema.ts";

export interface ${Type}Deps {
  readonly reads: Reader;
  readonly outbox: Outbox<"${family}.created">;
}

export function ${variables}Routes({ reads, outbox }: ${Type}Deps): Route[] {
  return [
    listRoute({
      path: "/${folder}",
      scope: "settings:read",
      summary: "${sentence(many)}",
      item: ${Type}View,
      list: { q: ["name"], updatedAt: "updated_at", order: "id" },
      handle: async ({ list }) => {
        const page = await pageOf(reads, ${Type}Rows, list);
        return { rows: page.rows.map(${variable}View), total: page.total };
      },
    }),
    route({
      method: "POST",
      path: "/${folder}",
      scope: "settings:write",
      summary: "Add a ${one}",
      body: ${Type}Fields,
      answer: ${Type}View,
      audit: { key: "${folder}", action: "create" },
      statuses: [400],
      handle: ({ body, commit }) =>
        commit({
          locks: [],
          decide(draft) {
            const row = create${Type}(draft, body);
            const data = { ${variable}Id: row.id, name: row.name };
            outbox.raise(draft, { event: "${family}.created", data, subject: \`${family}:\${row.id}\` });
            return { answer: ${variable}View(row), audit: { entityId: row.id, after: ${variable}View(row) } };
          },
        }),
    }),
    route({
      method: "DELETE",
      path: "/${folder}/{id}",
      scope: "settings:write",
      summary: "Delete a ${one}",
      params: idParams,
      answer: okAnswer,
      audit: { key: "${folder}", action: "delete" },
      statuses: [404],
      handle: ({ params: { id }, commit }) =>
        commit({
          locks: [lock(${Type}Rows, id)],
          decide(draft) {
            const before = delete${Type}(draft, id);
            return { answer: { ok: true }, audit: { entityId: id, before: ${variable}View(before) } };
          },
        }),
    }),
  ];
}
`;

const test = ({ folder, one, many, family }: Names) => `// ${sentence(many)} through the real server, on each database.
import { describe, expect, test } from "vitest";
import { dialects } from "../database.ts";
import { WholePanel } from "../whole-panel.ts";

describe.each(dialects)("on %s", (dialect) => {
  // rule ${folder}.record.1
  test("a ${one} is added, listed and deleted", async () => {
    const panel = await WholePanel.open(dialect);
    try {
      const refused = await panel.call("POST", "/api/v1/${folder}", { name: "" });
      expect(refused).toMatchObject({ status: 400, body: { field: "name" } });
      const made = await panel.call("POST", "/api/v1/${folder}", { name: "first" });
      expect(made).toMatchObject({ status: 200, body: { name: "first" } });
      expect((await panel.call("GET", "/api/v1/${folder}")).body).toMatchObject({ total: 1, items: [made.body] });
      expect((await panel.call("GET", "/api/v1/events/log?event=${family}.created")).body.total).toBe(1);
      expect((await panel.call("DELETE", \`/api/v1/${folder}/\${made.body.id}\`)).status).toBe(200);
      expect((await panel.call("DELETE", \`/api/v1/${folder}/\${made.body.id}\`)).status).toBe(404);
    } finally {
      await panel.dispose();
    }
  });
});
`;

const privilege = ({ folder, many, table, Type }: Names) => `// Rights over ${many}, for the model of permissions.
import type { FeaturePrivileges } from "../privilege/features.ts";
import { creates, deletes } from "../privilege/things.ts";

const kept = { scope: "settings:write" } as const;

export const ${table.toUpperCase()}_PRIVILEGES: FeaturePrivileges = {
  tables: ["${table}"],
  rules: {
    "GET /${folder}": { scope: "settings:read" },
    "POST /${folder}": { ...kept, writes: { ${table}: "new" } },
    "DELETE /${folder}/{id}": { ...kept, writes: { ${table}: "target" } },
  },
  forms: {
    "GET /${folder}": () => ({}),
    "POST /${folder}": ({ fresh }) => ({ body: { name: fresh("${Type.toLowerCase()}") } }),
    "DELETE /${folder}/{id}": ({ id }) => id("${table}"),
  },
  effects: { "POST /${folder}": creates("${table}", "name"), "DELETE /${folder}/{id}": deletes("${table}") },
};
`;

const rules = ({ folder, one, many }: Names) => `# ${sentence(many)}

The code is \`src/${folder}/\`.

## ${folder}.record: The record

- **${folder}.record.1** A ${one} has a name of 1 to 128 characters.
  \`test/${folder}/${folder}.test.ts\`
`;

/** With a capital letter. */
export function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
