// Webhooks: addresses of operators that receive events.
import { defineEntity, p } from "@mikro-orm/core";
import { entity, sealedText, type RowOf } from "../db/index.ts";

export const WebhookRows = entity(
  defineEntity({
    name: "Webhook",
    tableName: "webhooks",
    properties: {
      id: p.bigint("number").primary().autoincrement(false),
      name: p.text(),
      url: p.text(),
      /** Signing secret, sealed to this row; empty: deliveries are not signed. */
      secret: sealedText(),
      /** Event names and families (`user.*`); empty: all. */
      events: p.json<string[]>(),
      /** Only events that name the account `adminId`. */
      ownOnly: p.boolean(),
      adminId: p.bigint("number"),
      /** The account that added it: the webhook hears no more than this account may. */
      creatorId: p.bigint("number"),
      /**
       * The account that changed it last, where that was another one: the webhook hears no more than that one may
       * either. 0 = nobody else.
       */
      editorId: p.bigint("number").default(0),
      /**
       * What the sessions and tokens that wrote it reached together, where that was less than the accounts do; null:
       * all that the accounts do.
       */
      reach: p.json<string[]>().nullable(),
      enabled: p.boolean(),
      createdAt: p.bigint("number"),
      updatedAt: p.bigint("number"),
    },
  }),
);
export type WebhookRow = RowOf<typeof WebhookRows>;
