// POST /api/restart: the panel starts again in its process, right after answering (rule process.restart.1).
import { okAnswer, Refusal, route, type Route } from "../http/index.ts";

export interface RestartDeps {
  /** Asks for the restart. */
  readonly restart: () => void;
  /** Why a start would be refused now, as a sentence that says what to do: such a restart would only end the panel. */
  readonly obstacle: () => Promise<string | undefined>;
}

export function restartRoutes({ restart, obstacle }: RestartDeps): Route[] {
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
      codes: ["cannot_start"],
      handle: async ({ commit, afterResponse }) => {
        const message = await obstacle();
        if (message !== undefined) throw new Refusal("conflict", { code: "cannot_start", message });
        afterResponse(restart);
        return commit({ locks: [], decide: () => ({ answer: { ok: true as const }, audit: { entityId: "panel" } }) });
      },
    }),
  ];
}
