// The panel's API over counters in a process of its own, as the benches of HTTP ask it.
import { z } from "zod";
import { accessEntities } from "../../../src/access/testing.ts";
import { sql, type Dialect } from "../../../src/db/index.ts";
import { httpEntities } from "../../../src/http/index.ts";
import { systemEntities } from "../../../src/system/testing.ts";
import { checkBooks, connectCounters, createCounters } from "../counters/actors.ts";
import { Child } from "./child.ts";
import type { Target } from "./http-load.ts";

/** Each with a budget of a million requests a minute. */
const TOKENS = 16;
/** Different keys of `replayed`: as many connections may ask at once. */
export const REPLAYED = 64;
const Served = z.object({ port: z.int(), bare: z.int(), tokens: z.array(z.string()) });

export interface CounterApi {
  /** The durable command: transition, row, journal entry, audit record, every tenth an event. */
  readonly command: Target;
  /** The same with an `Idempotency-Key` that no other has. */
  readonly keyed: Target;
  /** The same without its audit record. */
  readonly unaudited: Target;
  /** The same unit behind a bare fastify route of the same process: no token, no validation, no audit record. */
  readonly bare: Target;
  /** The keyed command with one key for each connection, answered from what is stored. */
  readonly replayed: Target;
  readonly read: Target;
  /** Ends the process, throws unless what was answered is on disk, and removes the database. */
  end(answered: Answered): Promise<void>;
}

/**
 * Commands answered in all, and how many of them with an audit record and with a stored answer: all and none unless
 * said.
 */
export interface Answered {
  readonly commands: number;
  readonly audited?: number;
  readonly keyed?: number;
}

/** A panel with `keys` counters. */
export async function startCounterApi(dialect: Dialect, keys: number): Promise<CounterApi> {
  const more = [...accessEntities, ...systemEntities, ...httpEntities];
  const { url, drop } = await createCounters(dialect, keys, more);
  const server = new Child("children/api.ts");
  const { port, bare, tokens } = await server.ask({ url, tokens: TOKENS }, Served);
  const bearers = tokens.map((token) => ({ authorization: `Bearer ${token}` }));
  const shared = { port, headers: bearers, servers: [server] };
  const command = {
    ...shared,
    method: "POST",
    path: "/api/v1/counters/{id}/count",
    body: '{"note":"counted by the bench"}',
  } as const;
  const withKey = (key: (index: number) => string) =>
    Array.from({ length: REPLAYED }, (_, index) => ({ ...bearers[index % TOKENS], "idempotency-key": key(index) }));
  return {
    command,
    keyed: { ...command, headers: withKey(() => "{n}") },
    unaudited: { ...command, path: "/api/v1/counters/{id}/count-unaudited" },
    bare: { ...command, port: bare, path: "/counters/{id}/count" },
    replayed: { ...command, path: "/api/v1/counters/1/count", headers: withKey(String) },
    read: { ...shared, method: "GET", path: "/api/v1/counters/{id}" },
    end: async ({ commands, audited = commands, keyed = 0 }) => {
      await server.end();
      const db = await connectCounters(url, more);
      await checkBooks(db.reads, keys, commands);
      const [found] = await db.reads.query<{ records: number; answers: number }>(
        sql`select (select count(*) from changes where collection = 'counters') as records, (select count(*) from idempotency_records) as answers`,
      );
      if (found?.records !== audited || found.answers !== keyed)
        throw new Error(`${audited} audited and ${keyed} keyed commands, but ${JSON.stringify(found)}`);
      await db.close();
      await drop();
    },
  };
}
