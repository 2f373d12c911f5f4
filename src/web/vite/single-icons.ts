// Reads each icon from its own file: the package's one entry names six thousand, and a build would resolve them all.
import type { Plugin } from "vite";

const IMPORT = /import \{([^}]*)\} from "@tabler\/icons-react";/g;

export function singleIcons(): Plugin {
  return {
    name: "single-icons",
    enforce: "pre",
    apply: "build",
    transform: {
      filter: { id: /\/src\/web\/.*\.tsx?$/ },
      handler: (code) => ({ code: code.replace(IMPORT, (_whole, names: string) => imports(names)), map: null }),
    },
  };
}

/** Types have no file; what is named `type …` is dropped as the compiler would. */
function imports(names: string): string {
  return names
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && !name.startsWith("type "))
    .map((name) => {
      const [icon = name, local = icon] = name.split(" as ");
      return `import ${local} from "@tabler/icons-react/dist/esm/icons/${icon}.mjs";`;
    })
    .join(" ");
}
