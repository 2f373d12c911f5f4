// `signalbox demo`: a panel that is set up, a local node, a simulated fleet with traffic, and its transitions live in
// the terminal.
import { resolve } from "node:path";
import type { ListenAddress } from "../agent/listen-address.ts";
import { Panel, type Inputs } from "../client/index.ts";
import { SILENT_NODE, simulatedNodes } from "./demo/cast.ts";
import { Child } from "./demo/child.ts";
import { claimDirectory, emptyDirectory, endProcesses } from "./demo/directory.ts";
import { Feed } from "./demo/feed.ts";
import { readOptions, refuseTakenAddress, textOf, type Options } from "./demo/options.ts";
import { runRoutine } from "./demo/routine.ts";
import { block, summaryLine, transitionLine, type Playbill } from "./demo/demo-output.ts";
import { recallStage, setStage, SETUP_TOKEN, signIn, type Stage } from "./demo/stage.ts";
import { paintFor } from "./paint.ts";
import { EXIT } from "./shared.ts";

export const DEMO_HELP = `signalbox demo [--listen HOST:PORT] [--keep]

A panel that is set up, a local node with the embedded engine, a simulated fleet of 25 nodes and 500 accounts with
traffic. Prints the address, the login, a subscription link, pages and requests worth trying, then transitions as they commit.
Ctrl-C ends everything.

  --listen HOST:PORT   where the panel listens (127.0.0.1:8090)
  --keep               go on with the panel of the last run; without it ./data/demo is made anew

Everything is kept in ./data/demo, with the logs of the panel and the simulated fleet. Other SIGNALBOX_ variables than
SIGNALBOX_LOG_LEVEL and SIGNALBOX_WEB have no effect here.
`;

const CONNECT_MS = 60_000;
const SPENT_MS = 60_000;
const SUMMARY_MS = 10_000;
const STOP_MS = 4500;

/** Reason of the signal when a person ended the demo. */
const ENDED = new Error("ended");
const FIVE_MB = 5_000_000;

const print = (line: string) => void process.stdout.write(`${line}\n`);

/**
 * Runs until SIGINT, SIGTERM or SIGHUP. Resolves to the exit code; 1 with a sentence when something could not be
 * started or ended on its own.
 */
export async function demo(argv: readonly string[]): Promise<number> {
  let options: Options;
  try {
    options = readOptions(argv);
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n\n${DEMO_HELP}`);
    return EXIT.usage;
  }
  const directory = resolve("data", "demo");
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => stop.abort(ENDED));
  // What a killed demo left is ended first: its panel may hold the address.
  await claimDirectory(directory);
  await refuseTakenAddress(options.listen);
  if (!options.keep) emptyDirectory(directory);
  const children: Child[] = [];
  try {
    await perform(options.listen, directory, stop, (child) => {
      children.push(child);
      void child.ended.then((sentence) => stop.abort(new Error(sentence)));
    });
  } catch (error) {
    if (!stop.signal.aborted) stop.abort(error);
  } finally {
    await endChildren(children, directory);
  }
  if (stop.signal.reason === ENDED) return EXIT.done;
  throw new Error(`the demo ended: ${messageOf(stop.signal.reason)} (logs are in ${directory})`, {
    cause: stop.signal.reason,
  });
}

/** The whole piece. Rejects with the signal's reason once it is aborted. */
async function perform(
  listen: ListenAddress,
  directory: string,
  stop: AbortController,
  onChild: (child: Child) => void,
): Promise<void> {
  const { signal } = stop;
  const url = `http://${textOf(listen)}`;
  const child = new Child({
    name: "panel",
    directory,
    argv: ["serve"],
    env: {
      SIGNALBOX_DATA_DIR: directory,
      SIGNALBOX_LISTEN: textOf(listen),
      SIGNALBOX_SETUP_TOKEN: SETUP_TOKEN,
      SIGNALBOX_ENGINE: "embedded",
      SIGNALBOX_PRIVATE_TARGETS: "allow",
    },
  });
  onChild(child);
  print(`Starting a panel on ${url} …`);
  const token = await signIn(url, child, signal);
  const panel = new Panel({ url, token, signal });
  const feed = await Feed.open(url, token, signal, (error) => stop.abort(error));
  const set = Object.keys(feed.counts["node"] ?? {}).length > 0 ? recallStage : setStage;
  print(set === setStage ? "Creating accounts and nodes …" : "Taking up the accounts and nodes of the last run …");
  const stage = await set({ panel, directory, signal, onChild });
  const nodes = simulatedNodes(0).length + 1;
  print(`Waiting for ${nodes} nodes …`);
  const connected = () => feed.count("node", "linked.connected");
  await inTime(
    CONNECT_MS,
    signal,
    (both) => feed.until(() => connected() >= nodes, both),
    () => `only ${connected()} of ${nodes} nodes connected`,
  );
  print("Waiting for the first account to use up its volume …");
  const spent = () => feed.count("user", "disabled.volume") > 0;
  await inTime(
    SPENT_MS,
    signal,
    (both) => feed.until(spent, both),
    () => "no simulated traffic arrived",
  );

  const paint = paintFor(process.stdout);
  const bill = await billOf(panel, stage, { url, token });
  for (const line of block(bill, paint)) print(line);
  feed.onRow((row) => print(transitionLine(row, paint)));
  print(summaryLine(feed.counts, paint));
  const summary = setInterval(() => print(summaryLine(feed.counts, paint)), SUMMARY_MS);
  try {
    await runRoutine(panel, bill.spent.id, signal, (message) => print(paint("dim", `   ${message}`)));
    signal.throwIfAborted();
  } finally {
    clearInterval(summary);
  }
}

/** What the block shows: with an account that has just run out and the node that is in error. */
async function billOf(
  panel: Panel,
  { user, mixedPort }: Stage,
  address: Pick<Playbill, "url" | "token">,
): Promise<Playbill> {
  const actor = async (query: NonNullable<Inputs["listActors"]["query"]>) =>
    (await panel.call("listActors", { query })).items[0];
  const spent = await actor({ kind: "user", state: "disabled.volume", limit: 1 });
  const silent = await actor({ kind: "node", q: SILENT_NODE });
  if (!spent || !silent) throw new Error("the accounts or nodes of the demo are gone: run it without --keep");
  const { volume } = await panel.call("getUser", { path: { id: Number(spent.id) } });
  return {
    ...address,
    subUrl: user.subUrl,
    uuid: user.config.uuid,
    password: user.config.password,
    mixedPort,
    silentNodeId: silent.id,
    spent: { id: spent.id, name: spent.name, volume: volume + FIVE_MB },
  };
}

/** Fails with a sentence when the work takes longer. */
async function inTime(
  ms: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
  tooLate: () => string,
): Promise<void> {
  const late = AbortSignal.timeout(ms);
  try {
    await work(AbortSignal.any([signal, late]));
  } catch (error) {
    if (signal.aborted || !late.aborted) throw error;
    throw new Error(`${tooLate()} in ${ms / 1000} s`, { cause: error });
  }
}

/** Asks all for a clean stop; what has not ended in time is ended the hard way. */
async function endChildren(children: readonly Child[], directory: string): Promise<void> {
  for (const child of children) child.stop();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((hurry) => {
    timer = setTimeout(hurry, STOP_MS);
  });
  await Promise.race([Promise.all(children.map((child) => child.ended)), late]);
  clearTimeout(timer);
  for (const child of children) child.kill();
  await endProcesses(directory);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
