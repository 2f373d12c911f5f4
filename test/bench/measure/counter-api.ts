// The panel's API over counters in a process of its own, as the benches of HTTP ask it.
import { z } from "zod";
import { accessEntities } from "../../../src/access/index.ts";
import { sql, type Dialect } from "../../../src/db/index.ts";
import { httpEntities } from "../../../src/http/index.ts";
import { systemEntities } from "../../../src/system/index.ts";
import { checkBooks, connectCounters, createCounters } from "../counters/actors.ts";
import { Child } from "./child.ts";
import type { Target } from "./http-load.ts";

/** Each with a budget of a million requests a minute. */
const TOKENS = 16;
const Served = z.object({ port: z.int(), tokens: z.array(z.string()) });

export interface CounterApi {
  /** The durable command: transition, row, journal entry, audit record, every tenth an event. */
  readonly command: Target;
  readonly read: Target;
  /** Ends the process, throws unless `commands` are on disk with their audit records, and removes the database. */
  end(commands: number): Promise<void>;
}

/** A panel with `keys` counters. */
export async function startCounterApi(dialect: Dialect, keys: number): Promise<CounterApi> {
  const more = [...accessEntities, ...systemEntities, ...httpEntities];
  const { url, drop } = await createCounters(dialect, keys, more);
  const server = new Child("children/api.ts");
  const { port, tokens } = await server.ask({ url, tokens: TOKENS }, Served);
  const shared = { port, headers: tokens.map((token) => ({ authorization: `Bearer ${token}` })), servers: [server] };
  return {
    command: { ...shared, method: "POST", path: "/api/v1/counters/{id}/count", body: '{"note":"counted by the bench"}' },
    read: { ...shared, method: "GET", path: "/api/v1/counters/{id}" },
    end: async (commands) => {
      await server.end();
      const db = await connectCounters(url, more);
      await checkBooks(db.reads, keys, commands);
      const [audited] = await db.reads.query<{ records: number }>(
        sql`select count(*) as records from changes where collection = 'counters'`,
      );
      if (audited?.records !== commands) throw new Error(`${commands} commands, but ${audited?.records} audit records`);
      await db.close();
      await drop();
    },
  };
}
