// How the interface is built: relative addresses throughout, so that the base path is known at run time alone; files
// named after their content.
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { beforePaint } from "./vite/before-paint.ts";
import { chunks } from "./vite/chunks.ts";
import { cutWords } from "./vite/cut-words.ts";
import { firstLoads } from "./vite/first-loads.ts";
import { pageWords } from "./vite/page-words.ts";
import { singleFiles } from "./vite/single-files.ts";
import { unusedStyles } from "./vite/unused-styles.ts";

/** The panel that the development server (`npm run web:dev`) sends API requests to. */
const PANEL = process.env["SIGNALBOX_URL"] ?? "http://127.0.0.1:8080";

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  base: "./",
  cacheDir: fileURLToPath(new URL("../../node_modules/.vite", import.meta.url)),
  plugins: [react(), singleFiles(), cutWords(), beforePaint(), pageWords(), chunks(), unusedStyles(), firstLoads()],
  build: {
    outDir: fileURLToPath(new URL("../../.web/watched", import.meta.url)),
    emptyOutDir: true,
    target: "es2023",
    // The policy allows no data: in styles and scripts; what lies beside is cached.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 700,
    // Some packages re-export thousands of files (icons). The build reads only the files in use: it takes half the
    // memory and an eighth of the time.
    rolldownOptions: { experimental: { lazyBarrel: true } },
  },
  server: {
    strictPort: false,
    // The host stays as the browser sent it: the panel compares it with the origin.
    proxy: { "/api": { target: PANEL, ws: true }, "/healthz": { target: PANEL } },
  },
});
