// Tags that a route may send traffic to, one row each: outbounds, endpoints and tunnels share this one name space (rule
// pool.outbound.1).
import { defineEntity, p } from "@mikro-orm/core";
import { entity } from "../db/index.ts";

export const ExitTagRows = entity(
  defineEntity({
    name: "ExitTag",
    tableName: "exit_tags",
    properties: {
      /** The tag. */
      id: p.text().primary(),
      /** `outbound:3`, `endpoint:1`, `tunnel:7`. */
      owner: p.text(),
    },
  }),
);
