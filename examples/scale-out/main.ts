// Three panels on one PostgreSQL behind HAProxy, in one command. See README.md.
import { once } from "node:events";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { startScaleOut } from "./scale-out.ts";

const { values } = parseArgs({
  options: {
    folder: { type: "string", default: "./data/scale-out" },
    panels: { type: "string", default: "3" },
    port: { type: "string", default: "8090" },
  },
});
const stopped = Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
const everything = await startScaleOut({
  folder: resolve(values.folder),
  panels: Number(values.panels),
  port: Number(values.port),
  show: (line) => process.stdout.write(`${line}\n`),
});
for (const { url, child } of everything.panels) console.log(`${child.name} on ${url}, process ${child.pid}`);
console.log(`load balancer on ${everything.url}`);
const pending = (await fetch(`${everything.url}/api/v1/setup`)).status === 404;
if (pending)
  console.log(
    `finish setup at ${everything.url}/api/v1/setup?t=${everything.setupToken} (docs/operations.md), with "web_tls_mode": "none"`,
  );
await stopped;
await everything.stop();
process.exit();
