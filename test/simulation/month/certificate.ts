// A certificate's life as a test needs it: valid for sixty days, renewed at two thirds of them, tried again by the
// hour. The product's own comes with its certificates.
import { defineEntity, p } from "@mikro-orm/core";
import { assign, fromPromise, setup } from "xstate";
import { entity, type RowOf } from "../../../src/db/index.ts";
import { actorColumns, defineActor } from "../../../src/runtime/index.ts";
import { type QueuedEffect } from "../../../src/runtime/testing.ts";

const DAY_MS = 86_400_000;
export const VALID_MS = 60 * DAY_MS;
export const RENEW_AFTER_MS = 40 * DAY_MS;
export const AGAIN_MS = 3_600_000;

export const Certificates = entity(
  defineEntity({
    name: "MonthCertificate",
    tableName: "month_certificates",
    properties: {
      id: p.bigint("number").primary().autoincrement(false),
      name: p.text(),
      /** Unix milliseconds. */
      issuedAt: p.bigint("number"),
      ...actorColumns(),
    },
  }),
);
export type CertificateRow = RowOf<typeof Certificates>;

interface Context {
  now: number;
  issuedAt: number;
}

type CertificateEvent = { type: "xstate.done.actor.renew"; at: number };

const chart = setup({
  types: { context: {} as Context, input: {} as Context, events: {} as CertificateEvent },
  actors: { renew: fromPromise<unknown>(() => Promise.reject(new Error("carried out by the runtime"))) },
  delays: {
    renewal: ({ context }) => Math.max(0, context.issuedAt + RENEW_AFTER_MS - context.now),
    patience: 600_000,
    again: AGAIN_MS,
  },
  actions: { keep: assign({ issuedAt: ({ event }) => event.at }) },
}).createMachine({
  id: "certificate",
  context: ({ input }) => input,
  initial: "valid",
  states: {
    valid: { after: { renewal: "renewing" } },
    renewing: {
      after: { patience: "failed" },
      invoke: { id: "renew", src: "renew", onDone: { target: "valid", actions: "keep" }, onError: "failed" },
    },
    failed: { after: { again: "renewing" } },
  },
});

export function defineCertificate(renew: QueuedEffect) {
  return defineActor<CertificateRow, Context>({
    kind: "certificate",
    description: "A certificate.",
    entity: Certificates,
    machine: chart,
    version: 1,
    contextOf: ({ issuedAt }, _stored, draft) => ({ now: draft.now, issuedAt }),
    columnsOf: ({ issuedAt }) => ({ issuedAt }),
    rememberedOf: () => ({}),
    nameOf: ({ name }) => name,
    effects: { renew },
    safe: [],
  });
}
