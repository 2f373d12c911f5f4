// The runtime over a database as the panel puts it together: alone on SQLite; on PostgreSQL one process among others,
// with its heartbeat, its leases on shards and its ear to the log of commits, whether there are others or not.
import type { Database, Follower, Processes } from "../../../src/db/index.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { Supervisor, type ActorKind, type ActorRow, type SupervisorOptions } from "../../../src/runtime/index.ts";
import { follow } from "../../database.ts";
import { joinShards } from "../../runtime/shared-shards.ts";
import { soleShards } from "../../runtime/sole-shards.ts";

export interface Runtime {
  readonly supervisor: Supervisor;
  /** The processes on the database; undefined where there can be no other. */
  readonly processes: Processes | undefined;
  readonly follower: Follower | undefined;
  /** Ends what moves by itself. Before the database is closed. */
  stop(): Promise<void>;
}

/** Puts a runtime together; its supervisor is not started. `more`: what a bench has its own way with. */
export async function openRuntime<R extends ActorRow, C>(
  db: Database,
  kind: ActorKind<R, C>,
  more: Pick<SupervisorOptions, "counter"> = {},
): Promise<Runtime> {
  const follower = db.store.log && (await follow(db));
  const part = db.store.log && (await joinShards(db));
  const supervisor = new Supervisor({
    commits: db.commits,
    reads: db.reads,
    clock: systemClock,
    deliveries: { record: () => {} },
    shards: part?.shards ?? soleShards(db),
    ...(part && { processes: part.processes }),
    bootId: db.boot,
    ...more,
    onError: (error) => {
      throw error;
    },
  });
  supervisor.register(kind);
  return {
    supervisor,
    processes: part?.processes,
    follower,
    stop: async () => {
      await supervisor.drain(0);
      await part?.processes.stop();
      await follower?.stop();
    },
  };
}
