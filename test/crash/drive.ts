// One round's commands: sent over kept-alive connections while the panel lives, with what earlier rounds left open
// under its keys.
import { isDeepStrictEqual } from "node:util";
import { Client, type Answer } from "./client.ts";
import type { Collection, Known } from "./known.ts";
import type { PanelProcess } from "./panel.ts";
import { oneOf, type Random } from "./random.ts";
import type { Command } from "./commands.ts";
import { requestOf, type Request, type Stage } from "./requests.ts";

const CONNECTIONS = 32;
/** Answered requests that are sent again in each round. */
const REPLAYS = 4;
const LOOKS = 6;
/** After the last command: timers, deliveries and links go on, and fault points of theirs may still be met. */
const LINGER_MS = 250;

export interface Memory {
  readonly known: Known;
  readonly stage: Stage;
  readonly port: number;
  readonly token: string;
  /** Keyed requests without an answer so far. */
  open: Request[];
  /** Keyed requests with their first answer. */
  readonly settled: { readonly request: Request; readonly answer: Answer }[];
  readonly count: { sent: number; answered: number; repeated: number; replayed: number; looked: number };
}

/**
 * Sends everything; resolves when the panel is gone or all is answered. Throws at the first answer that contradicts
 * what was answered before.
 */
export async function drive(
  panel: PanelProcess,
  memory: Memory,
  commands: readonly Command[],
  random: Random,
): Promise<void> {
  const client = new Client(memory.port, memory.token, CONNECTIONS);
  const { known, settled } = memory;
  // Each once: two at a time under one key would meet.
  const again = settled.length === 0 ? [] : [...new Set(Array.from({ length: REPLAYS }, () => oneOf(random, settled)))];
  const open = memory.open;
  const unsent = new Set(open);
  memory.open = [];
  let answers = 0;
  const killAt = panel.plan.by === "moment" ? panel.plan : undefined;
  const send = async (request: Request): Promise<Answer | undefined> => {
    memory.count.sent++;
    known.sending(request);
    const answer = await client.send(request);
    if (answer) {
      memory.count.answered++;
      if (++answers === killAt?.answers) setTimeout(() => void panel.kill(), killAt.afterMs);
    }
    return answer;
  };
  const work: (() => Promise<void>)[] = [
    ...open.map((request) => async () => {
      memory.count.repeated++;
      unsent.delete(request);
      settle(memory, request, await send(request));
    }),
    ...again.map(({ request, answer: first }) => async () => {
      const answer = await client.send(request);
      if (answer) checkReplay(request, first, answer);
      memory.count.replayed += answer ? 1 : 0;
    }),
    ...commands.map((command) => async () => {
      const request = requestOf(command, known, memory.stage, Math.floor(Date.now() / 1000));
      if (request) settle(memory, request, await send(request));
    }),
  ];
  try {
    await look(client, memory, random);
    await inTurns(work, () => panel.running);
    if (panel.running) await Promise.race([panel.ended, new Promise((resolve) => setTimeout(resolve, LINGER_MS))]);
  } finally {
    // What was not sent again stays open.
    memory.open.push(...unsent);
    client.close();
  }
}

/** Sends requests again until none is open; for a panel that is not killed. */
export async function settleOpen(memory: Memory, patienceMs: number): Promise<void> {
  const client = new Client(memory.port, memory.token, CONNECTIONS);
  const until = Date.now() + patienceMs;
  try {
    while (memory.open.length > 0) {
      const open = memory.open;
      memory.open = [];
      for (const request of open) settle(memory, request, await client.send(request));
      if (memory.open.length > 0 && Date.now() > until)
        throw new Error(`still in progress: ${JSON.stringify(memory.open[0])}`);
      if (memory.open.length > 0) await new Promise((resolve) => setTimeout(resolve, 200));
    }
    for (const { request, answer: first } of memory.settled.slice(-200)) {
      const answer = await client.send(request);
      if (!answer) throw new Error("a panel that nobody kills does not answer");
      checkReplay(request, first, answer);
      memory.count.replayed++;
    }
  } finally {
    client.close();
  }
}

async function inTurns(work: readonly (() => Promise<void>)[], goesOn: () => boolean): Promise<void> {
  let next = 0;
  const worker = async () => {
    for (let one = work[next++]; one && goesOn(); one = work[next++]) await one();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
}

/** The claim of a process that was killed a moment ago is still respected: to be tried again later. */
function isInProgress({ status, text }: Answer): boolean {
  return status === 409 && text.includes("inProgress");
}

function settle(memory: Memory, request: Request, answer: Answer | undefined): void {
  const { known, settled } = memory;
  const later = answer === undefined || isInProgress(answer);
  if (request.key !== undefined && later) memory.open.push(request);
  if (answer && isInProgress(answer)) return;
  known.heard(request, answer);
  if (request.key !== undefined && answer?.status === 200) settled.push({ request, answer });
}

function checkReplay(request: Request, first: Answer, answer: Answer): void {
  if (answer.status !== first.status || answer.text !== first.text)
    throw new Error(
      `${request.method} ${request.path} under ${request.key} was answered with ${first.text}, repeated with ${answer.status} ${answer.text}`,
    );
  if (!answer.replayed) throw new Error(`${request.method} ${request.path} under ${request.key} was carried out again`);
}

/** Fields of an answer that move without a write. */
const MOVING: ReadonlySet<string> = new Set([
  "up",
  "down",
  "totalUp",
  "totalDown",
  "onlineAt",
  "lastInbound",
  "status",
  "message",
  "warnings",
  "coreVersion",
  "nodeVersion",
  "setup",
  "arch",
  "infoSeenAt",
  "lastStatusChange",
  "since",
  "attempts",
  "nextAttemptAt",
  "revision",
  "applied",
  "appliedAt",
  "cause",
  "live",
  "online",
]);

/** Reads a few records over HTTP and compares them with their last answers. Before anything else is sent. */
async function look(client: Client, { known, count }: Memory, random: Random): Promise<void> {
  await Promise.all(
    Array.from({ length: LOOKS }, async (_, index) => {
      const collection: Collection = index % 3 === 2 ? "nodes" : "users";
      const ids = known.ids(collection);
      if (ids.length === 0) return;
      const id = String(oneOf(random, ids));
      const seen = known.of(collection).get(id);
      const answer = await client.send({ method: "GET", path: `/${collection}/${id}` });
      if (!answer || !seen) return;
      if (answer.status !== 200)
        throw new Error(
          `GET /${collection}/${id}: ${answer.status} ${answer.text}, it was answered as ${JSON.stringify(seen.body)}`,
        );
      count.looked++;
      const body = JSON.parse(answer.text) as Record<string, unknown>;
      if (Number(body["updatedAt"]) < seen.version)
        throw new Error(`GET /${collection}/${id} is older than its last answer: ${answer.text}`);
      if (body["updatedAt"] !== seen.version) return;
      for (const [field, value] of Object.entries(seen.body)) {
        if (!MOVING.has(field) && !isDeepStrictEqual(body[field], value))
          throw new Error(
            `GET /${collection}/${id}: ${field} is ${JSON.stringify(body[field])}, it was answered as ${JSON.stringify(value)}`,
          );
      }
    }),
  );
}
