// Files that are being sent: each has its place before its first byte is read, and gives it back whatever happens.
import { rm, symlink } from "node:fs/promises";
import { request, type ClientRequest } from "node:http";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { dialects } from "../database.ts";
import { mountSmallDisk } from "../faults/disk.ts";
import { WholePanel, type Answer } from "../whole-panel.ts";
import { sendFile } from "./send-file.ts";
import { stagedAt } from "./staged.ts";
import { jobEnded, newReseller } from "./users.ts";

const GIB = 1024 ** 3;
const probe = mountSmallDisk(1);
probe?.unmount();
const canMount = probe !== undefined;

interface Upload {
  readonly request: ClientRequest;
  /** Its answer; undefined while there is none. */
  status(): number | undefined;
  ended(): Promise<Pick<Answer, "status" | "body">>;
}

describe.each(dialects)("files that are being sent on %s", (dialect) => {
  const panels: WholePanel[] = [];
  let panel: WholePanel;
  const open: ClientRequest[] = [];
  beforeAll(async () => {
    panel = await WholePanel.open(dialect);
    panels.push(panel);
    if (dialect === "postgresql") panels.push(await panel.neighbour());
  }, 60_000);
  afterEach(async () => {
    for (const each of open.splice(0)) each.destroy();
    await expect.poll(() => stagedAt(panel), { timeout: 20_000 }).toEqual({ staged: 0, uploads: 0 });
  });
  afterAll(async () => {
    for (const each of panels.toReversed()) await each.dispose();
  });

  const places = async (): Promise<number> => (await stagedAt(panel)).uploads;
  const staged = async (): Promise<number> => (await stagedAt(panel)).staged;
  /** A file whose sender says how much comes, and sends only some of it. */
  const begin = (
    headers: Record<string, string>,
    { bytes, text = "", at = 0 }: { bytes?: number; text?: string; at?: number } = {},
  ): Upload => {
    const to = panels[at % panels.length] ?? panel;
    const sent = request(`${to.url}/api/v1/users/import?async=true`, {
      method: "POST",
      headers: { ...headers, ...(bytes === undefined ? {} : { "content-length": String(bytes) }) },
    });
    open.push(sent);
    let status: number | undefined;
    const ended = new Promise<Pick<Answer, "status" | "body">>((resolve, reject) => {
      sent.on("error", reject);
      sent.on("response", (response) => {
        status = response.statusCode;
        let body = "";
        response.setEncoding("utf8").on("data", (piece: string) => (body += piece));
        response.on("end", () => resolve({ status: response.statusCode ?? 0, body: JSON.parse(body) }));
        response.on("error", reject);
      });
    });
    ended.catch(() => {});
    sent.flushHeaders();
    if (text !== "") sent.write(text);
    return { request: sent, status: () => status, ended: () => ended };
  };
  const root = () => ({ authorization: `Bearer ${panel.token}` });

  // rule jobs.import.8
  test("of many at once on all panels an account has four; the others are refused before their first byte", async () => {
    const { headers } = await newReseller(panel);
    const many = Array.from({ length: 12 }, (_, at) => begin(headers, { at, bytes: 1000 }));
    await expect
      .poll(() => many.filter((each) => each.status() !== undefined).length, { timeout: 20_000 })
      .toBe(12 - 4);
    for (const each of many.filter((one) => one.status() !== undefined))
      expect(await each.ended()).toMatchObject({ status: 429, body: { code: "rate_limited" } });
    expect(await places()).toBe(4);
    // Another's are not counted.
    const line = '{"name":"of-root"}\n';
    expect((await sendFile(panel, "", line)).status).toBe(200);
    // An upload that leaves gives its place back.
    const [first] = many.filter((each) => each.status() === undefined);
    first?.request.destroy();
    await expect.poll(places, { timeout: 20_000 }).toBe(3);
    const next = begin(headers, { at: 1 });
    next.request.end('{"name":"came-later"}\n');
    expect(await next.ended()).toMatchObject({ status: 202 });
    const { job } = (await next.ended()).body;
    expect(await jobEnded(panel, job)).toMatchObject({ state: "succeeded", affected: 1 });
  });

  // rule jobs.import.8
  test("main admins have places that no number of others takes", async () => {
    const others = [];
    for (let index = 0; index < 7; index++) others.push((await newReseller(panel)).headers);
    const many = others.flatMap((headers) => [0, 1, 2, 3].map((at) => begin(headers, { at, bytes: 1000 })));
    await expect.poll(() => many.filter((each) => each.status() === 429).length, { timeout: 20_000 }).toBe(4);
    expect((await sendFile(panel, "", '{"name":"mine"}\n')).status).toBe(200);
  });

  // rule jobs.import.8
  test("of one account two GiB wait at most; what is announced too large is refused at once", async () => {
    const { headers } = await newReseller(panel);
    expect((await begin(headers, { bytes: GIB + 1 }).ended()).status).toBe(413);
    const held = [begin(headers, { bytes: GIB, at: 0 }), begin(headers, { bytes: GIB - 1000, at: 1 })];
    await expect.poll(places, { timeout: 20_000 }).toBe(2);
    expect(await begin(headers, { bytes: 1001 }).ended()).toMatchObject({
      status: 429,
      body: { code: "rate_limited" },
    });
    const fits = begin(headers, { bytes: 9 });
    fits.request.end("{}\n{}\n{}\n");
    expect((await fits.ended()).status).toBe(202);
    expect(held.map((each) => each.status())).toEqual([undefined, undefined]);
  });

  // rules jobs.import.6, jobs.import.8
  test("what was sent of a file whose sender leaves is away, and so is what a stopped job did not come to", async () => {
    const line = (index: number) => `{"name":"left-${index}","remark":"${"x".repeat(250)}"}\n`;
    const text = Array.from({ length: 6000 }, (_, index) => line(index)).join("");
    const sender = begin(root(), { bytes: text.length + 1000, text });
    await expect.poll(staged, { timeout: 20_000 }).toBeGreaterThan(0);
    sender.request.destroy();
    await expect.poll(staged, { timeout: 20_000 }).toBe(0);
    const { body } = await sendFile(panel, "?async=true", text);
    await panel.call("POST", `/api/v1/jobs/${body.job}/cancel`);
    expect(await jobEnded(panel, body.job)).toMatchObject({ state: "cancelled" });
    await expect.poll(staged, { timeout: 20_000 }).toBe(0);
    // A job that goes to its end leaves none either: each goes with its last line.
    const done = await sendFile(panel, "?onConflict=skip", text.slice(0, text.indexOf("left-1500") - 9));
    expect(done).toMatchObject({ status: 200, body: { failed: 0 } });
    if (dialect === "postgresql") expect(await staged()).toBe(0);
    await expect.poll(staged, { timeout: 20_000 }).toBe(0);
  });

  // rules http.upload.3, jobs.import.8
  test.skipIf(!canMount)(
    "a full disk is 503 `disk_full`, and the same file under the same key is taken once there is room",
    async () => {
      const directory = join(panel.directory, "uploads");
      const disk = mountSmallDisk(16, "mode=0700");
      await rm(directory, { recursive: true, force: true });
      await symlink(disk?.path ?? "", directory);
      try {
        const line = '{"name":"when-there-is-room"}\n';
        const key = { ...root(), "idempotency-key": "full" };
        const full = { status: 503, body: { code: "disk_full" } };
        disk?.fill();
        expect(await sendFile(panel, "", line, key)).toMatchObject(full);
        disk?.empty();
        // It gets full while the file comes; the database has room all the time.
        const long = begin({ ...root(), "idempotency-key": "long" });
        long.request.end(line.repeat(700_000));
        expect(await long.ended()).toMatchObject(full);
        expect(await stagedAt(panel)).toEqual({ staged: 0, uploads: 0 });
        expect(await sendFile(panel, "", line, key)).toMatchObject({ status: 200, body: { created: 1 } });
        await expect.poll(() => stagedAt(panel), { timeout: 20_000 }).toEqual({ staged: 0, uploads: 0 });
      } finally {
        await rm(directory);
        disk?.unmount();
      }
    },
  );
});
