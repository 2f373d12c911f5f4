// The table of answerers: the one of `listeners/answerers.ts` is that of the documents, and each listener keeps it.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { readFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Door, headOf, type Plugin } from "../../src/http/index.ts";
import { ANSWERERS, type Answerer, type AnswererName } from "../../src/http/listeners/answerers.ts";
import { openPanel, type TestPanel } from "./panel.ts";

const HOST = "127.0.0.1";

test("the documents have the same table", () => {
  const page = readFileSync(new URL("../../docs/architecture.md", import.meta.url), "utf8");
  const [, section = ""] = /### Who answers what\n([^]*?)\n## /.exec(page) ?? [];
  const rows = [...section.matchAll(/^\| `(\w+)` +\| (.*?) +\| (.*?) +\| (.*?) +\| (.*?) +\|$/gm)].map(
    ([, name, what, where, further, pending]) => ({ name, what, where, further: further === "yes", pending }),
  );
  expect(rows).toEqual([...ANSWERERS]);
});

/** What the body of each answerer looks like. */
const BODIES: Readonly<Record<Exclude<AnswererName, "strays">, RegExp>> = {
  proofs: /^the proof$/,
  health: /^\{"status":"ok"\}$/,
  subscriptions: /^a subscription$/,
  panel: /^\{"(items|error)"/,
  site: /^a page$/,
};
const subscriptions: Plugin = {
  register: () => {},
  owns: (_method, url) => url === "/sub/key",
  shortcut: {
    takes: (url) => url === "/sub/key",
    answer: () => ({ status: 200, head: headOf({}), body: "a subscription" }),
  },
};

describe.each(["/base", ""])("with the base path %j", (basePath) => {
  const paths: Readonly<Record<Exclude<AnswererName, "strays">, string>> = {
    proofs: "/.well-known/acme-challenge/t",
    health: `${basePath}/healthz`,
    subscriptions: "/sub/key",
    panel: `${basePath}/api/v1/notes`,
    site: "/page.html",
  };

  describe.each([false, true])("setup pending: %j", (pending) => {
    let folder: string;
    let panel: TestPanel;
    const door = new Door();
    const ports = new Map<string, number>();
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), "signalbox-site-"));
      await writeFile(join(folder, "page.html"), "a page", { mode: 0o644 });
      const website = basePath === "" ? {} : { website: { directory: folder, admits: () => true } };
      panel = await openPanel("sqlite", { basePath, pending, ...website });
      // As a panel does: while setup is pending nothing is mounted, and nothing is in flight.
      if (!pending) panel.api.mount(subscriptions);
      await panel.api.app.ready();
      await door.open({ host: HOST, port: 0, basePath, tls: undefined }, panel.api.app.server);
      ports.set("main", door.port ?? 0);
      for (const answers of ["subscriptions", "proofs"] as const)
        ports.set(answers, (await door.openFurther({ host: HOST, port: 0, answers: [answers] })).port);
      if (!pending) door.proofs.addText("t", "the proof");
    });
    afterAll(async () => {
      await door.close();
      await panel.dispose();
      await rm(folder, { recursive: true, force: true });
    });

    function ask(listener: string, path: string): Promise<string> {
      const headers = { authorization: "Bearer root" };
      return new Promise((resolve, reject) => {
        const options = { host: HOST, port: ports.get(listener) ?? 0, path, headers, agent: false };
        const asking = request(options, (answer) => {
          let text = "";
          answer.setEncoding("utf8").on("data", (piece: string) => (text += piece));
          answer.on("end", () => resolve(text));
        });
        asking.on("error", reject).end();
      });
    }

    test.each(Object.keys(paths) as (keyof typeof paths)[])("%s", async (name) => {
      const { further, pending: during }: Answerer = ANSWERERS.find((each) => each.name === name) ?? ANSWERERS[5];
      const answered = new Map<string, boolean>();
      for (const listener of ports.keys()) {
        const body = await ask(listener, paths[name]);
        const isOwn = BODIES[name].test(body);
        // What is nobody's is empty, or the panel's own refusal where nothing is hidden.
        if (!isOwn) expect([listener, body]).toEqual([listener, expect.stringMatching(/^$|^\{"/)]);
        answered.set(listener, isOwn && !body.includes("not_found"));
      }
      const may = !pending || during === "yes";
      const served = name !== "site" || basePath !== "";
      expect(Object.fromEntries(answered)).toEqual({
        main: may && served,
        subscriptions: may && further && name === "subscriptions",
        proofs: may && further && name === "proofs",
      });
    });
  });
});
