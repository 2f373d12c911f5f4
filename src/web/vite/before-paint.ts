// The script that runs before the first paint, and the font that it will need: named in the page right after its base.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

/**
 * A script that must run before the first paint is a separate file (the policy allows no inline script) and blocks
 * rendering. So it is cached permanently like the other files.
 */
export function beforePaint(): Plugin {
  const file = fileURLToPath(new URL("../before-paint.js", import.meta.url));
  let reference: string | undefined;
  return {
    name: "before-paint",
    buildStart() {
      if (this.environment.mode === "build")
        reference = this.emitFile({ type: "asset", name: "before-paint.js", source: readFileSync(file) });
    },
    transformIndexHtml: {
      order: "post",
      handler(html, { bundle = {} }) {
        const names = Object.keys(bundle);
        const script =
          reference === undefined ? "before-paint.js" : (names.find((name) => name.includes("before-paint")) ?? "");
        const font = names.find((name) => /inter-latin-(?!ext)/.test(name));
        // After the base, which leads it on every page.
        return html.replace(/<base [^>]*>/, (base) =>
          [base, `<script src="./${script}"></script>`, font === undefined ? "" : preload(font)].join("\n    "),
        );
      },
    },
  };
}

/** After what the page cannot be drawn without: until the font is there, another one stands in. */
function preload(font: string): string {
  return `<link rel="preload" as="font" type="font/woff2" fetchpriority="low" crossorigin href="./${font}" />`;
}
