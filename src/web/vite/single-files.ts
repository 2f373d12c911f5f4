// Reads what is imported from a large package out of the file that has it. The one entry of such a package names
// hundreds or thousands of files: a build would resolve them all, and each page would seem to need all of them.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

const ICONS = /import \{([^}]*)\} from "@tabler\/icons-react";/g;
const COMPONENTS = /import \{([^}]*)\} from "(@mantine\/(?:core|hooks))";/g;

/** What a package gives: by name, the file and the name there. */
type Barrel = ReadonlyMap<string, readonly [file: string, name: string]>;

export function singleFiles(): Plugin {
  const barrels = new Map<string, Barrel>();
  const barrelOf = (name: string): Barrel => {
    const barrel = barrels.get(name) ?? readBarrel(name);
    barrels.set(name, barrel);
    return barrel;
  };
  return {
    name: "single-files",
    enforce: "pre",
    apply: "build",
    transform: {
      filter: { id: /\/src\/web\/.*\.tsx?$|\/node_modules\/@mantine\/.*\.mjs$/ },
      handler: (code) => ({
        code: code
          .replace(ICONS, (_whole, names: string) => named(names).map(iconImport).join(" "))
          .replace(COMPONENTS, (_whole, names: string, from: string) =>
            named(names)
              .map((each) => componentImport(each, from, barrelOf(from)))
              .join(" "),
          ),
        map: null,
      }),
    },
  };
}

type Named = readonly [name: string, local: string];

/** Reads `A, B as C`. Types have no file: a name with `type …` is dropped, as the compiler would. */
function named(list: string): Named[] {
  return list
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "" && !each.startsWith("type "))
    .map((each) => {
      const [name = each, local = name] = each.split(" as ");
      return [name, local];
    });
}

function iconImport([name, local]: Named): string {
  return `import ${local} from "@tabler/icons-react/dist/esm/icons/${name}.mjs";`;
}

/** What the package's entry makes itself stays an import of the entry. */
function componentImport([name, local]: Named, from: string, barrel: Barrel): string {
  const [file, there] = barrel.get(name) ?? [from, name];
  return `import { ${there} as ${local} } from ${JSON.stringify(file)};`;
}

/** An entry of `import { … } from "./file"` and one list of what it exports. */
function readBarrel(name: string): Barrel {
  const entry = fileURLToPath(import.meta.resolve(name));
  const code = readFileSync(entry, "utf8");
  const files = new Map(
    [...code.matchAll(/import \{([^}]*)\} from "(\.[^"]+)";/g)].flatMap(([, names = "", file = ""]) =>
      named(names).map(([there, local]) => [local, [join(dirname(entry), file), there]] as const),
    ),
  );
  const exported = /export \{([^}]*)\};/.exec(code)?.[1] ?? "";
  return new Map(
    named(exported).flatMap(([local, outside]) => {
      const found = files.get(local);
      return found ? [[outside, found] as const] : [];
    }),
  );
}
