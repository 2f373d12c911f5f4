// Reads the table of pages out of its source: the build must know what a page loads before any browser has run it.
import { dirname, join } from "node:path/posix";
import type { ESTree } from "vite";

/** What a page asks the panel for at once; `get` as it is asked, with `:name` for parts of the page's own path. */
interface FirstQuestion {
  readonly scope: string;
  readonly get: string;
  readonly bare?: true;
}

export interface PageSource {
  readonly path: string;
  /** Below `src/web`. */
  readonly module: string;
  readonly open: boolean;
  readonly asks: readonly FirstQuestion[];
  /** Modules that it imports while it runs. */
  readonly also: readonly string[];
}

/** The program of a module below `src/web`. */
type Read = (module: string) => ESTree.Program;

/** The rows of `PAGES` in `module`. Throws where one is not plain enough to be read without running it. */
export function pagesIn(module: string, read: Read): PageSource[] {
  const rows = rowsOf("PAGES", module, read);
  if (rows.length === 0) throw new Error("PAGES has no rows");
  return rows;
}

/** The rows of a table, those of the tables that are spread in it included. */
function rowsOf(table: string, module: string, read: Read): PageSource[] {
  const program = read(module);
  return tableIn(program, table).flatMap((row) => {
    if (row?.type === "ObjectExpression") return [rowIn(row, module)];
    if (row?.type !== "SpreadElement" || row.argument.type !== "Identifier")
      throw new Error(`a row of ${table} is no plain object`);
    const { name } = row.argument;
    return rowsOf(name, beside(module, sourceOf(name, program)), read);
  });
}

function rowIn(row: ESTree.ObjectExpression, module: string): PageSource {
  const fields = new Map(
    row.properties.flatMap((each) => (each.type === "Property" ? [[nameOf(each.key), each.value] as const] : [])),
  );
  const value = (name: string): unknown => (fields.has(name) ? literal(fields.get(name)) : undefined);
  return {
    path: String(value("path")),
    module: beside(module, moduleIn(fields.get("page"))),
    open: value("open") === true,
    asks: (value("asks") ?? []) as FirstQuestion[],
    also: (value("also") ?? []) as string[],
  };
}

function tableIn({ body }: ESTree.Program, table: string): readonly (ESTree.Node | null)[] {
  for (const statement of body) {
    const declaration = statement.type === "ExportNamedDeclaration" ? statement.declaration : undefined;
    if (declaration?.type !== "VariableDeclaration") continue;
    for (const { id, init } of declaration.declarations) {
      if (id.type === "Identifier" && id.name === table && init?.type === "ArrayExpression") return init.elements;
    }
  }
  throw new Error(`there is no table ${table}`);
}

/** Where `name` is imported from. */
function sourceOf(name: string, { body }: ESTree.Program): string {
  const found = body.find(
    (each) => each.type === "ImportDeclaration" && each.specifiers.some(({ local }) => local.name === name),
  );
  if (found?.type !== "ImportDeclaration") throw new Error(`${name} is not imported`);
  return found.source.value;
}

/** The module that `module` names as `./users/UsersPage.tsx`, below `src/web`. */
function beside(module: string, named: string): string {
  return join(dirname(module), named);
}

function nameOf(key: ESTree.Node): string {
  return key.type === "Identifier" ? key.name : String(literal(key));
}

/** The value of an expression of literals. */
function literal(node: ESTree.Node | null | undefined): unknown {
  switch (node?.type) {
    case "Literal":
      return "value" in node ? node.value : undefined;
    case "ArrayExpression":
      return node.elements.map(literal);
    case "ObjectExpression":
      return Object.fromEntries(
        node.properties.flatMap((each) => (each.type === "Property" ? [[nameOf(each.key), literal(each.value)]] : [])),
      );
    default:
      throw new Error(`in PAGES a ${node?.type ?? "nothing"} stands where only literals can be read`);
  }
}

/** Reads the module out of `lazy(() => import("./users/UsersPage.tsx"))`. */
function moduleIn(page: ESTree.Node | undefined): string {
  const made = page?.type === "CallExpression" ? page.arguments[0] : undefined;
  const loaded = made?.type === "ArrowFunctionExpression" ? made.body : undefined;
  if (loaded?.type !== "ImportExpression") throw new Error("a page is not lazy(() => import(…))");
  return String(literal(loaded.source));
}
