// `signalbox net-keeper`: started by a panel beside each local agent, as a user of its own with CAP_NET_ADMIN alone. It
// outlives the panel as its agent does; then it goes on with the ports that the panel last named, and ends when nobody
// asks for anything any more.
import { Server, type Socket } from "node:net";
import { z } from "zod";
import { errorLog, EXIT, readOptions, UsageError } from "../command-line.ts";
import { type KeeperWord, PanelWord } from "../../protocol/net-keeper.ts";
import { NetKeeper, Refused } from "./keeper.ts";
import { onLines } from "./lines.ts";
import { type Answer, Numbered, Verb } from "./verbs.ts";

/** One agent has one connection; one that was killed leaves none. */
const MOST_CONNECTIONS = 4;
/** Requests that are carried out at once; others wait in the socket. */
const AT_ONCE = 16;
/** How long the panel is waited for. */
const PANEL_MS = 3000;
/** Without a panel and without a connection. */
const LONELY_MS = 600_000;
const LOOK_MS = 10_000;
/** Between two lines of the log about refusals. */
const REFUSALS_MS = 10_000;

export const NET_KEEPER_HELP = `signalbox net-keeper --uid N --group N --home DIR

Started by a panel for a local agent; not for use by hand.
`;

const Id = z.string().regex(/^\d+$/).transform(Number);
const Options = z.object({ uid: Id, group: Id, home: z.string().startsWith("/") });

export async function netKeeperCommand(argv: readonly string[]): Promise<number> {
  let options;
  try {
    options = readOptions(argv, Options, ["uid", "group", "home"]);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\n\n${NET_KEEPER_HELP}`);
    return EXIT.usage;
  }
  if (!options || !process.connected) {
    process.stdout.write(NET_KEEPER_HELP);
    return EXIT.done;
  }
  const logger = errorLog(process.env["SIGNALBOX_LOG_LEVEL"]);
  const ports = new PublicPorts();
  const keeper = new NetKeeper({
    uid: options.uid,
    engineGroup: options.group,
    home: options.home,
    publicPorts: () => ports.current(),
    log: (level, message, fields = {}) => logger[level]({ netKeeper: true, ...fields }, message),
  });
  const refused = refusalLog((fields) => logger.warn(fields, "the net keeper refuses what an agent asks for"));
  const connections = new Set<Socket>();
  process.on("message", (message, handle) => {
    const word = PanelWord.safeParse(message);
    if (!word.success) return;
    ports.told(word.data.ports);
    if (word.data.type !== "serve" || !(handle instanceof Server)) return;
    handle.maxConnections = MOST_CONNECTIONS;
    handle.on("connection", (socket: Socket) => {
      connections.add(socket);
      socket.once("close", () => connections.delete(socket));
      serve(socket, keeper, refused);
    });
  });
  await ended(() => process.connected || connections.size > 0);
  keeper.stop();
  return EXIT.done;
}

/** Answers the requests of one connection. */
function serve(socket: Socket, keeper: NetKeeper, refused: (reason: string) => void): void {
  let running = 0;
  const answer = (value: Answer): void => {
    if (!socket.destroyed) socket.write(`${JSON.stringify(value)}\n`);
    running -= 1;
    if (running < AT_ONCE) socket.resume();
  };
  socket.on("error", () => undefined);
  onLines(socket, (line) => {
    const message: unknown = JSON.parse(line);
    const { id, ...words } = Numbered.parse(message);
    running += 1;
    if (running >= AT_ONCE) socket.pause();
    const verb = Verb.safeParse(words);
    if (!verb.success) {
      const [issue] = verb.error.issues;
      answer({ id, error: `the net keeper knows no such request: ${issue?.path.join(".")} ${issue?.message}` });
      return;
    }
    keeper.answer(verb.data).then(
      (value) => answer({ id, value: value ?? null }),
      (error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error);
        if (error instanceof Refused) refused(reason);
        answer({ id, error: error instanceof Refused ? `the net keeper refuses it: ${reason}` : reason });
      },
    );
  });
}

/** A fallen agent must not fill the log. */
function refusalLog(write: (fields: Record<string, unknown>) => void): (reason: string) => void {
  let next = 0;
  let more = 0;
  return (reason) => {
    more += 1;
    if (performance.now() < next) return;
    write({ reason, times: more });
    next = performance.now() + REFUSALS_MS;
    more = 0;
  };
}

/** What the panel says of the node's ports. */
class PublicPorts {
  #known: ReadonlySet<number> = new Set();
  #waiting: (() => void)[] = [];

  told(ports: readonly number[]): void {
    this.#known = new Set(ports);
    for (const done of this.#waiting.splice(0)) done();
  }

  /** As they are now; as they were last told where no panel answers. */
  async current(): Promise<ReadonlySet<number>> {
    if (process.connected)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, PANEL_MS);
        this.#waiting.push(() => {
          clearTimeout(timer);
          resolve();
        });
        process.send?.({ type: "ports?" } satisfies KeeperWord, undefined, undefined, (error) => error && resolve());
      });
    return this.#known;
  }
}

/** Resolves at a signal, or when nobody has been there for long. */
async function ended(isWanted: () => boolean): Promise<void> {
  let wantedAt = performance.now();
  return new Promise((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => resolve());
    setInterval(() => {
      if (isWanted()) wantedAt = performance.now();
      else if (performance.now() - wantedAt > LONELY_MS) resolve();
    }, LOOK_MS);
  });
}
