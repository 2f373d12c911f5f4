// How the interface is built: relative addresses throughout, so that the base path is known at run time alone; files
// named after their content.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { beforePaint } from "./vite/before-paint.ts";
import { firstLoads } from "./vite/first-loads.ts";
import { singleIcons } from "./vite/single-icons.ts";
import { unusedStyles } from "./vite/unused-styles.ts";

/** Of `npm run web:dev`: the panel whose API the development server passes on. */
const PANEL = process.env["SIGNALBOX_URL"] ?? "http://127.0.0.1:8080";

/** How many pages there are: what as many parts share, most pages load. */
const PAGES = readFileSync(new URL("pages.tsx", import.meta.url), "utf8").split("page: lazy(").length - 1;

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  base: "./",
  cacheDir: fileURLToPath(new URL("../../node_modules/.vite", import.meta.url)),
  plugins: [react(), singleIcons(), beforePaint(), unusedStyles(), firstLoads()],
  build: {
    outDir: fileURLToPath(new URL("../../.web/watched", import.meta.url)),
    emptyOutDir: true,
    target: "es2023",
    // The policy allows no data: in styles and scripts; what lies beside is cached.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 700,
    // Of a package that re-exports thousands of files (icons) only those in use are read: a build takes half the memory
    // and an eighth of the time.
    rolldownOptions: {
      experimental: { lazyBarrel: true },
      output: {
        // A group's name lists the pages that share it.
        chunkFileNames: ({ name }) => `assets/${name.startsWith("shared") ? "shared" : "[name]"}-[hash].js`,
        codeSplitting: {
          groups: [
            // What every page needs is one file, what several need another: few requests, and text that compresses well
            // together.
            { name: "main", tags: ["$initial"], priority: 1 },
            // An icon must not bring what else its pages share.
            { name: "icons", test: /tabler\/icons-react/, minShareCount: 2 },
            // What most pages share. A connection carries one file at a time, so small ones cost a wait each. What
            // floats over a page (menus, selects) is loaded when one is opened. Each drawing is a file of its own: a
            // page needs that of one kind.
            { name: "common", test: /^(?!.*floating-ui)/, minShareCount: Math.round(PAGES * 0.85), priority: 0.5 },
            // Files are not merged across pages: the sign-in would carry what it never shows.
            { name: "shared", minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 1 },
          ],
        },
      },
    },
  },
  server: {
    strictPort: false,
    // The host stays as the browser sent it: the panel compares it with the origin.
    proxy: { "/api": { target: PANEL, ws: true }, "/healthz": { target: PANEL } },
  },
});
