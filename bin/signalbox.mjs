#!/usr/bin/env node
// The `signalbox` command: the panel's entry point under Node 24.
import { fileURLToPath } from "node:url";

// MiB of the young heap's halves. Node's own measure would keep three times as much of the machine's memory after any
// burst of work.
const YOUNG_MIB = 8;

process.argv.splice(
  2,
  0,
  `--max-semi-space-size=${YOUNG_MIB}`,
  fileURLToPath(new URL("../src/main.ts", import.meta.url)),
);
await import("./node24.mjs");
