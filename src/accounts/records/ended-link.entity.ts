// Links of accounts that opened a subscription once and open none any more: nobody else may have one for some days,
// since a customer's app that still asks for it would get another customer's account.
import { defineEntity, p } from "@mikro-orm/core";
import { entity } from "../../db/index.ts";

export const EndedLinkRows = entity(
  defineEntity({
    name: "EndedLink",
    tableName: "ended_links",
    properties: {
      /** A hash of the link's key, see `ended-links.ts`: the key itself is not kept. */
      id: p.text().primary(),
      /** The account that had the link. That account may have it again. */
      userId: p.bigint("number"),
      /** Unix seconds. */
      endedAt: p.bigint("number"),
    },
    indexes: [{ properties: ["endedAt"] }],
  }),
);
