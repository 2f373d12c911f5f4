// Which words a page is said to show, before the build knows its modules.
import { expect, test } from "vitest";
import { areasNamedBy } from "../../../src/web/vite/areas.ts";

const SOURCES: Readonly<Record<string, string>> = {
  "a/Page.tsx": `
    // useWords("comment")
    /** Called as \`useWords("docs")\`. */
    const words = useWords("a");
`.replaceAll(/^ {4}/gm, ""),
  "a/Rows.tsx": `import { Page } from "./Page.tsx";\nexport { Part } from "../b/Part.tsx";\nuseWords("rows");`,
  "b/Part.tsx": `import {\n  one,\n  two,\n} from "./two.ts";\nimport type { Wire } from "./wire.ts";\nuseWords("b");`,
  "b/two.ts": `import { Rows } from "../a/Rows.tsx";\nimport { code } from "../../server/code.ts";\nconst Late = lazy(() => import("./Late.tsx"));`,
  "b/wire.ts": `useWords("types");`,
  "b/Late.tsx": `useWords("late");`,
};

function read(module: string): string {
  const source = SOURCES[module];
  if (source === undefined) throw new Error(`${module} was read`);
  return source;
}

test("a page shows the words that it names, and those of all that it imports at once", () => {
  expect(areasNamedBy(["a/Rows.tsx"], read)).toEqual(["a", "b", "rows"]);
});

test("neither comments nor what is imported later or as a type name words", () => {
  expect(areasNamedBy(["a/Page.tsx"], read)).toEqual(["a"]);
  expect(areasNamedBy(["b/two.ts"], read)).not.toContain("late");
  expect(areasNamedBy(["b/Part.tsx"], read)).not.toContain("types");
});
