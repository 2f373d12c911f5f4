#!/usr/bin/env node
// The `signalbox` command: the panel's entry point under Node 24.
import { fileURLToPath } from "node:url";

process.argv.splice(2, 0, fileURLToPath(new URL("../src/main.ts", import.meta.url)));
await import("./node24.mjs");
