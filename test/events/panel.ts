// The events feature over a real database, with a clock and settings in the test's hand.
import { randomUUID } from "node:crypto";
import { eventEntities, type ListenerOf } from "../../src/events/testing.ts";
import { createEvents, type TestEvents, type TestEventsDeps } from "./create-events.ts";
import { DeliveryRows, type DeliveryRow } from "../../src/events/delivery.entity.ts";
import { DeliveryQueueRows, emptyQueue } from "../../src/events/delivery-queue.entity.ts";
import { WebhookRows, type WebhookRow } from "../../src/events/webhook.entity.ts";
import { sql, type Database } from "../../src/db/index.ts";
import type { Dialect } from "../../src/db/table.ts";
import { httpEntities, scopeClosure, SCOPES } from "../../src/http/index.ts";
import { sealSecret } from "../../src/lib/seal.ts";
import { openTestDatabase, type TestDatabase } from "../database.ts";

export const key = Buffer.alloc(32, 9);
export const OWNER = 1;
export const ADMIN = 2;
export const RESELLER = 3;

const accounts = new Map([
  [OWNER, { base: "sudo" as const, scopes: scopeClosure(SCOPES) }],
  [ADMIN, { base: "admin" as const, scopes: scopeClosure(["nodes:read"]) }],
  [RESELLER, { base: "resale" as const, scopes: scopeClosure(["users:read", "nodes:read"]) }],
]);
export const listenerOf: ListenerOf = (id) => accounts.get(id);

export class Clock {
  ms = Date.UTC(2026, 0, 1);
  readonly now = (): number => this.ms;
  advance(seconds: number): void {
    this.ms += seconds * 1000;
  }
}

export interface Panel {
  readonly database: TestDatabase;
  readonly clock: Clock;
  readonly settings: { allowPrivate: boolean; retentionDays: number };
  readonly events: TestEvents;
  /** Another panel process on the same database. */
  another(database?: Database, deps?: Partial<TestEventsDeps>): Promise<TestEvents>;
  raise(event: string, subject: string, data?: Record<string, unknown>): Promise<void>;
  webhook(row: Partial<WebhookRow> & { url: string }, secret?: string): Promise<number>;
  deliveries(subscriberId: number): Promise<DeliveryRow[]>;
  dispose(): Promise<void>;
}

/**
 * Opens a panel. Nothing polls by itself: tests call `dispatcher.poll()`. It is one of several processes, on SQLite
 * too, unless `sole`.
 */
export async function openPanel(dialect: Dialect, deps: Partial<TestEventsDeps> = {}, sole = false): Promise<Panel> {
  const clock = new Clock();
  const database = await openTestDatabase(dialect, [...eventEntities, ...httpEntities], clock.now);
  const settings = { allowPrivate: true, retentionDays: 30 };
  const create = async (on: Database, more: Partial<TestEventsDeps> = {}): Promise<TestEvents> => {
    const made = createEvents({
      database: on,
      now: clock.now,
      key,
      allowPrivate: () => settings.allowPrivate,
      retentionDays: () => settings.retentionDays,
      listenerOf,
      log: { warn: () => {} },
      // The middle of the spread: retries come exactly after their delay.
      random: () => 0.5,
      ...(sole ? {} : { owner: randomUUID() }),
      ...deps,
      ...more,
    });
    await made.load();
    return made;
  };
  const events = await create(database);
  const others: TestEvents[] = [];
  return {
    database,
    clock,
    settings,
    events,
    another: async (on = database, more = {}) => {
      const made = await create(on, more);
      others.push(made);
      return made;
    },
    raise: (event, subject, data = {}) =>
      database.commits.submit({
        name: "raise",
        locks: [],
        decide: (draft) => events.outbox.raise(draft, { event, subject, data }),
      }),
    webhook: (row, secret) =>
      database.commits.submit({
        name: "webhook",
        locks: [],
        decide(draft) {
          const id = draft.nextId("webhooks");
          const sealed =
            secret === undefined ? "" : sealSecret(key, secret, { table: "webhooks", column: "secret", id });
          const whose = { creatorId: OWNER, editorId: 0, reach: null, ownOnly: false, adminId: 0 };
          const usual = { name: "hook", secret: sealed, events: [], ...whose, enabled: true };
          draft.insert(WebhookRows, { ...usual, createdAt: draft.time, updatedAt: draft.time, ...row, id });
          draft.insert(DeliveryQueueRows, emptyQueue(id));
          return id;
        },
      }),
    deliveries: (subscriberId) =>
      database.reads.rows(
        DeliveryRows,
        sql`select * from deliveries where subscriber_id = ${subscriberId} order by raised_at, id`,
      ),
    dispose: async () => {
      for (const each of [events, ...others]) await each.stop();
      await database.dispose();
    },
  };
}
