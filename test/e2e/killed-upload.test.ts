// A panel is killed while files are being sent to it, at any moment: their places and their bytes on disk come back,
// and what was answered is carried out.
import { request, type ClientRequest } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dialects } from "../database.ts";
import { stagedAt } from "../jobs/staged.ts";
import { startPanel, type E2ePanel } from "./panel.ts";

const LINES = 2000;
/** Milliseconds after the last byte: while it is staged, started, carried out. */
const KILLS = [0, 120, 500];

describe.each(dialects)("files whose panel is killed on %s", (dialect) => {
  let panel: E2ePanel;
  beforeAll(async () => {
    panel = await startPanel({ dialect, engine: "none" });
  }, 120_000);
  afterAll(() => panel.dispose());

  const left = () => stagedAt(panel);
  /** Sends all of a file, or all but its end. Its job, where it was answered before the panel's end. */
  const send = (text: string, whole: boolean): { request: ClientRequest; job: Promise<number | undefined> } => {
    const sent = request(`${panel.url}/api/v1/users/import?async=true`, {
      method: "POST",
      headers: { ...panel.api.headers, "content-length": String(text.length + (whole ? 0 : 1)) },
    });
    const job = new Promise<number | undefined>((resolve) => {
      sent.on("error", () => resolve(undefined));
      sent.on("response", (response) => {
        let body = "";
        response.setEncoding("utf8").on("data", (piece: string) => (body += piece));
        response.on("end", () => resolve(response.statusCode === 202 ? JSON.parse(body).job : undefined));
        response.on("error", () => resolve(undefined));
      });
    });
    sent.write(text);
    return { request: sent, job };
  };

  // rules http.upload.4, jobs.import.6, jobs.import.8
  it("gives back their places, and does what it answered", { timeout: 400_000 }, async () => {
    for (const [round, after] of KILLS.entries()) {
      const textOf = (stem: string) =>
        Array.from(
          { length: LINES },
          (_, at) => `{"name":"${stem}-${round}-${at}","remark":"${"x".repeat(200)}"}\n`,
        ).join("");
      const halves = [send(textOf("half"), false), send(textOf("other"), false), send(textOf("third"), false)];
      await expect.poll(async () => (await left()).uploads, { timeout: 60_000 }).toBe(3);
      const whole = send(textOf("whole"), true);
      await pause(after);
      await panel.kill();
      const job = await whole.job;
      for (const { request: sent } of halves) sent.destroy();
      await panel.start();
      if (job !== undefined)
        await expect
          .poll(async () => panel.api.ok("GET", `/jobs/${job}`), { interval: 200, timeout: 120_000 })
          .toMatchObject({ state: "succeeded", done: LINES, affected: LINES });
      await expect.poll(left, { interval: 200, timeout: 120_000 }).toEqual({ staged: 0, uploads: 0 });
      const { total } = (await panel.api.ok("GET", `/users?limit=1&q=whole-${round}-`)) as { total: number };
      // Not answered: begun or not, but never half of it.
      expect(job === undefined ? [0, LINES] : [LINES]).toContain(total);
      expect(await panel.api.ok("GET", `/users?limit=1&q=half-${round}-`)).toMatchObject({ total: 0 });
    }
  });
});
