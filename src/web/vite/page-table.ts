// Reads the table of pages out of its source: the build must know what a page loads before any browser has run it.
import type { ESTree } from "vite";

/** What a page asks the panel for at once; `get` as it is asked, with `:name` for parts of the page's own path. */
interface FirstQuestion {
  readonly scope: string;
  readonly get: string;
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

/** The rows of `PAGES`. Throws where one is not plain enough to be read without running it. */
export function pagesIn(program: ESTree.Program): PageSource[] {
  const rows = tableIn(program).map((row) => {
    if (row?.type !== "ObjectExpression") throw new Error("a row of PAGES is no plain object");
    const fields = new Map(
      row.properties.flatMap((each) => (each.type === "Property" ? [[nameOf(each.key), each.value] as const] : [])),
    );
    const value = (name: string): unknown => (fields.has(name) ? literal(fields.get(name)) : undefined);
    return {
      path: String(value("path")),
      module: moduleIn(fields.get("page")),
      open: value("open") === true,
      asks: (value("asks") ?? []) as FirstQuestion[],
      also: (value("also") ?? []) as string[],
    };
  });
  if (rows.length === 0) throw new Error("PAGES has no rows");
  return rows;
}

function tableIn({ body }: ESTree.Program): readonly (ESTree.Node | null)[] {
  for (const statement of body) {
    const declaration = statement.type === "ExportNamedDeclaration" ? statement.declaration : undefined;
    if (declaration?.type !== "VariableDeclaration") continue;
    for (const { id, init } of declaration.declarations) {
      if (id.type === "Identifier" && id.name === "PAGES" && init?.type === "ArrayExpression") return init.elements;
    }
  }
  throw new Error("there is no table PAGES");
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

/** Of `lazy(() => import("./users/UsersPage.tsx"))`. */
function moduleIn(page: ESTree.Node | undefined): string {
  const made = page?.type === "CallExpression" ? page.arguments[0] : undefined;
  const loaded = made?.type === "ArrowFunctionExpression" ? made.body : undefined;
  if (loaded?.type !== "ImportExpression") throw new Error("a page is not lazy(() => import(…))");
  return String(literal(loaded.source)).replace(/^\.\//, "");
}
