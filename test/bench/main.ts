// `npm run bench [-- name…] [-- --write]`: runs each bench in a process of its own, one after the other; names choose
// among them. `--write` puts their tables into docs/performance.md, between the marks of their names. `BENCH_QUICK=1`:
// short runs, to see that they work.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { QUICK, RUNS } from "./measure/extent.ts";
import { disturbance, machineFacts } from "./measure/machine.ts";

/** In the order in which they run. Those that need more than Node and the databases run only when they are named. */
const BENCHES: Readonly<Record<string, { readonly asks: string; readonly named?: true }>> = {
  commit: { asks: "group commit without charts" },
  runtime: { asks: "durable commands in process, beside the bare driver" },
  counting: { asks: "what it costs that the actors in each state are counted in every commit" },
  stream: { asks: "what 1, 50 and 200 readers of the live stream cost at 1,400 transitions a second" },
  http: { asks: "the same over HTTP, beside a route that does nothing" },
  creates: { asks: "single accounts created over HTTP, beside the bench's plain command" },
  access: { asks: "what token, session, audit record and idempotency key cost a request" },
  subscriptions: {
    asks: "fetches of subscriptions with 100,000 accounts, beside a bare route of the same size",
    named: true,
  },
  listing: { asks: "pages of a hundred out of a million users, beside the driver running the same statements" },
  summary: { asks: "the summary of a million users" },
  bulk: { asks: "bulk operations on twenty thousand users, beside the driver writing the same rows" },
  beside: { asks: "bulk operations on a hundred thousand users beside other requests", named: true },
  resellers: { asks: "a reseller that closes among a thousand with a thousand users each, with a fleet", named: true },
  processes: { asks: "one, two and four processes on 200 hot keys" },
  timers: { asks: "100,000 timers that fall due in a minute" },
  overdue: { asks: "100,000 timers overdue after a stop" },
  start: { asks: "from a kill to the first answer" },
  pages: { asks: "pages in a browser, with ten thousand nodes and a million users", named: true },
  memory: { asks: "heap and pauses with a million users" },
  resident: { asks: "what the panel keeps of the machine's memory, fresh and after walks through 100,000 users" },
  usage: { asks: "usage of ten thousand and of a million users" },
  history: { asks: "the history of traffic: recording it, its size, questions among a million accounts", named: true },
  webhooks: { asks: "events to 20 webhooks" },
  strangers: {
    asks: "the dearest requests of strangers, and how long others wait beside a flood of them",
    named: true,
  },
  peers: { asks: "Restate and DBOS doing the same; installs them when it is named" },
  fleet: { asks: "a thousand nodes on one panel", named: true },
  structures: { asks: "memory and bytes of ten thousand nodes with routing of their own", named: true },
  engines: { asks: "Xray, sing-box and v2ray under the agent, beside their own smallest configuration", named: true },
  embedded: { asks: "the embedded engine beside v2ray", named: true },
};
/** There once `npm run bench -- peers` has installed them. */
const PEERS = new URL("peers/node_modules/", import.meta.url);
const DOCUMENT = new URL("../../docs/performance.md", import.meta.url);
const PLANS_DOCUMENT = new URL("../../docs/query-plans.md", import.meta.url);
/** The part of a bench's output that shows the plans of statements, up to the next table. */
const PLANS = /^Their plans, [^]*?(?=^Pages of |(?![^]))/gm;

/** Runs a bench and resolves to what it printed; undefined when it failed. */
async function run(name: string): Promise<string | undefined> {
  const program = fileURLToPath(new URL(`${name}.ts`, import.meta.url));
  const child = spawn(process.execPath, [program], { stdio: ["inherit", "pipe", "inherit"] });
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
    process.stdout.write(text);
  });
  const [code] = (await once(child, "close")) as [number | null];
  return code === 0 ? printed : undefined;
}

/** Replaces what stands between `<!-- table: NAME -->` and `<!-- end -->`; plans are on a page of their own. */
function write(name: string, text: string): void {
  const plans = text.match(PLANS) ?? [];
  if (plans.length > 0) writeInto(PLANS_DOCUMENT, name, plans.join("\n"));
  writeInto(DOCUMENT, name, text.replaceAll(PLANS, ""));
}

function writeInto(page: URL, name: string, text: string): void {
  const document = readFileSync(page, "utf8");
  const place = new RegExp(`(<!-- table: ${name} -->\n)[^]*?(<!-- end -->)`);
  if (!place.test(document)) throw new Error(`${page.pathname} has no place for the table ${name}`);
  writeFileSync(
    page,
    document.replace(place, (_, begin: string, end: string) => `${begin}\n\`\`\`\n${text.trim()}\n\`\`\`\n\n${end}`),
  );
}

const words = process.argv.slice(2);
const writes = words.includes("--write");
const asked = words.filter((word) => word !== "--write");
const unknown = asked.filter((name) => !Object.hasOwn(BENCHES, name));
if (unknown.length > 0) {
  const known = Object.entries(BENCHES).map(
    ([name, { asks, named }]) => `  ${name.padEnd(10)} ${asks}${named ? " (only when named)" : ""}`,
  );
  console.error(`there is no bench ${unknown.join(", ")}; there are\n${known.join("\n")}`);
  process.exit(2);
}
if (writes && (QUICK || RUNS < 3)) {
  console.error("only full runs are written into the document");
  process.exit(2);
}
const facts = await machineFacts();
console.log(facts);
console.log(disturbance() ?? "the machine is quiet");
if (QUICK) console.log("BENCH_QUICK: short runs, whose numbers say only that the benches work");
if (writes) write("machine", facts);
for (const [name, { named }] of Object.entries(BENCHES)) {
  if (asked.length > 0 ? !asked.includes(name) : named) continue;
  if (name === "peers" && asked.length === 0 && !existsSync(PEERS)) {
    console.log("\nskipped: Restate and DBOS are not installed; `npm run bench -- peers` installs them");
    continue;
  }
  const printed = await run(name);
  if (printed === undefined) process.exitCode = 1;
  else if (writes) write(name, printed);
}
