// Which node an agent serves: a row for each agent that said who it is, so that no second node takes it away from the
// first.
import { defineEntity, p } from "@mikro-orm/core";
import { entity } from "../../db/index.ts";

export const AgentHolderRows = entity(
  defineEntity({
    name: "AgentHolder",
    tableName: "agent_holders",
    properties: {
      /** See `agentKey`. */
      id: p.text().primary(),
      /** A node that is switched on; what a node had before it was switched off, moved or deleted is gone. */
      nodeId: p.bigint("number"),
    },
    indexes: [{ properties: ["nodeId"] }],
  }),
);
