// Which of the nodes that are switched on an address is: a row for each, so that no two of them are given one agent to
// fight for.
import { defineEntity, p } from "@mikro-orm/core";
import { entity } from "../../db/index.ts";

export const NodeAddressRows = entity(
  defineEntity({
    name: "NodeAddress",
    tableName: "node_addresses",
    properties: {
      /** Host and port in one spelling, see `agentAddress`. */
      id: p.text().primary(),
      /** More than one only where an older version left them so. */
      nodeIds: p.json<number[]>(),
    },
  }),
);
