// The open sessions, the byte counters by engine user name, and where users were seen. Everything the panel asks about
// is answered from here.
import { sourceKey } from "../../../lib/addresses.ts";
import type { SessionRow, SessionSelection } from "../../../protocol/messages.ts";
import { engineUserName } from "../../../protocol/plan.ts";
import type { SeenAddress } from "../contract/driver.ts";
import { peerKey, type Silences } from "./silences.ts";
import { Session, type Counter, type LiveUser, type SessionFacts } from "./live-user.ts";

const ADDRESS_MEMORY_MS = 600_000;
/** Sources remembered for one user; beyond it the oldest goes. */
const MAX_SEEN_PER_USER = 1000;

export class SessionRegistry {
  readonly #now: () => number;
  readonly #silences: Silences;
  readonly #sessions = new Map<string, Session>();
  readonly #counters = new Map<string, Counter>();
  #nextId = 1;

  /** `now`: Unix milliseconds. */
  constructor(now: () => number, silences: Silences) {
    this.#now = now;
    this.#silences = silences;
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** Whether the user's `ipLimit` lets a session from `source` in, judged by the sessions open on this node. */
  admits(user: LiveUser, source: string): boolean {
    if (user.ipLimit === 0) return true;
    const prefixes = placesOf(user);
    return prefixes.size < user.ipLimit || prefixes.has(sourceKey(source));
  }

  /** Looks which of the user's connections are silent. */
  async findSilent(user: LiveUser): Promise<void> {
    const silent = await this.#silences();
    for (const session of user.sessions)
      session.silent = silent.has(peerKey(session.facts.source, session.facts.sourcePort));
  }

  /** Closes the sources that came first, until one more may be let in. */
  makeRoom(user: LiveUser): void {
    const sources = placesOf(user);
    for (const source of sources) {
      if (sources.size < user.ipLimit) return;
      sources.delete(source);
      for (const session of user.sessions) if (sourceKey(session.facts.source) === source) session.close();
    }
  }

  open(facts: SessionFacts, close: () => void): Session {
    const name = engineUserName(facts.user.id, facts.inboundId);
    let counter = this.#counters.get(name);
    if (!counter) this.#counters.set(name, (counter = { up: 0, down: 0 }));
    const session = new Session(String(this.#nextId++), facts, counter, this.#now(), close, (woken) =>
      this.#wake(woken),
    );
    this.#sessions.set(session.id, session);
    facts.user.sessions.add(session);
    this.#see(session);
    return session;
  }

  /** Forgets a session that ended. Harmless when repeated. */
  remove(session: Session): void {
    if (!this.#sessions.delete(session.id)) return;
    session.facts.user.sessions.delete(session);
    this.#see(session);
  }

  counters(): Map<string, Counter> {
    return new Map([...this.#counters].map(([name, { up, down }]) => [name, { up, down }]));
  }

  select(selection: SessionSelection, limit: number): { total: number; rows: SessionRow[] } {
    const rows: SessionRow[] = [];
    let total = 0;
    for (const session of this.#matching(selection)) if (++total <= limit) rows.push(row(session));
    return { total, rows };
  }

  /** Closes what matches; answers how many. */
  close(selection: SessionSelection): number {
    const matching = [...this.#matching(selection)];
    for (const session of matching) session.close();
    return matching.length;
  }

  closeInbound(inboundId: number): void {
    for (const session of this.#sessions.values()) if (session.facts.inboundId === inboundId) session.close();
  }

  /** Closes the sessions that are idle for the `limit`th sweep in a row, those that are ending after a fifth of it. */
  sweep(limit: number): void {
    for (const session of this.#sessions.values()) {
      const bytes = session.up + session.down;
      session.idleSweeps = bytes === session.sweptBytes ? session.idleSweeps + 1 : 0;
      session.sweptBytes = bytes;
      if (session.idleSweeps >= (session.ending ? limit / 5 : limit)) session.close();
    }
  }

  /** Sources of the last ten minutes; those with an open session are seen now. */
  addresses(users: Iterable<LiveUser>): SeenAddress[] {
    const now = this.#now();
    const found: SeenAddress[] = [];
    for (const user of users) {
      if (!user.known) continue;
      for (const session of user.sessions) if (!session.silent) this.#see(session);
      for (const [key, at] of user.seen) {
        if (at < now - ADDRESS_MEMORY_MS) {
          user.seen.delete(key);
          continue;
        }
        const [inboundId = "", address = ""] = key.split(" ");
        found.push({ userId: user.id, inboundId: Number(inboundId), address, lastSeenAt: Math.floor(at / 1000) });
      }
    }
    return found;
  }

  /** Another source may have taken its place meanwhile. */
  #wake(session: Session): void {
    const { user, source } = session.facts;
    session.silent = false;
    const prefixes = placesOf(user);
    if (user.ipLimit > 0 && prefixes.size > user.ipLimit) {
      for (const other of user.sessions) if (sourceKey(other.facts.source) === sourceKey(source)) other.close();
    }
  }

  #see(session: Session): void {
    const { user, inboundId, source } = session.facts;
    const key = `${inboundId} ${source}`;
    user.seen.delete(key);
    user.seen.set(key, this.#now());
    if (user.seen.size <= MAX_SEEN_PER_USER) return;
    const oldest = user.seen.keys().next();
    if (!oldest.done) user.seen.delete(oldest.value);
  }

  *#matching(selection: SessionSelection): Iterable<Session> {
    for (const session of this.#sessions.values()) {
      const { user, inbound } = session.facts;
      if (selection.userId !== undefined && selection.userId !== user.id) continue;
      if (selection.inbound !== undefined && selection.inbound !== inbound) continue;
      if (selection.outbound !== undefined && selection.outbound !== session.outbound) continue;
      yield session;
    }
  }
}

/** Sources of a user that hold a place of its `ipLimit`. */
function placesOf(user: LiveUser): Set<string> {
  const prefixes = new Set<string>();
  for (const session of user.sessions) if (!session.silent) prefixes.add(sourceKey(session.facts.source));
  return prefixes;
}

function row(session: Session): SessionRow {
  const { user, inboundId, inbound, network, source, sourcePort } = session.facts;
  return {
    id: session.id,
    userId: user.id,
    inboundId,
    inbound,
    outbound: session.outbound,
    network,
    source: source.includes(":") ? `[${source}]:${sourcePort}` : `${source}:${sourcePort}`,
    destination: session.destination,
    up: session.up,
    down: session.down,
    startedAt: Math.floor(session.startedAt / 1000),
  };
}
