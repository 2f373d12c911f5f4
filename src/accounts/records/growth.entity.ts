// What happened to accounts, by day and owner: counted in the commits in which it happens.
import { defineEntity, p } from "@mikro-orm/core";
import { entity } from "../../db/index.ts";

/**
 * The rows of a day and owner add up; batches that run side by side write separate ones, so that none waits for
 * another. Its texts are what `Draft.add` must not add up.
 */
export const AccountDayRows = entity(
  defineEntity({
    name: "AccountDay",
    tableName: "account_days",
    properties: {
      /** `day:owner:session`. */
      id: p.text().primary(),
      /** The day since 1970-01-01 in the panel's zone, in six digits: texts in the order of time. */
      day: p.text(),
      /** The owner's admin id, 0: the panel's own accounts. */
      owner: p.text(),
      created: p.bigint("number"),
      deleted: p.bigint("number"),
      activated: p.bigint("number"),
      expired: p.bigint("number"),
      limited: p.bigint("number"),
      renewed: p.bigint("number"),
      /** Accounts that came from other owners, without those that went to others. */
      moved: p.bigint("number"),
      /** Deleted accounts that came back. */
      restored: p.bigint("number").default(0),
    },
    indexes: [{ properties: ["day"] }],
  }),
);
