// POST /api/restart: the panel starts again in its process, right after answering (document 2, Panel maintenance; decisions 3: sessions survive it).
import { okAnswer, route, type Route } from "../http/index.ts";

export function restartRoutes(restart: () => void): Route[] {
  return [
    route({
      method: "POST",
      path: "/restart",
      scope: "-",
      tiers: ["sudo"],
      sensitive: true,
      summary: "Restart the panel",
      answer: okAnswer,
      audit: { key: "panel", action: "restart" },
      idempotent: false,
      handle: ({ commit, afterResponse }) => {
        afterResponse(restart);
        return commit({ locks: [], decide: () => ({ answer: { ok: true as const }, audit: { entityId: "panel" } }) });
      },
    }),
  ];
}
