// The agent's version: that of the package it comes in.
import { readFileSync } from "node:fs";
import { z } from "zod";

const Package = z.object({ version: z.string() });

/** As `hello` tells it. */
export const AGENT_VERSION = Package.parse(
  JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")),
).version;
