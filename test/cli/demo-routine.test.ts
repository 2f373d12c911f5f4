// The demo's operator renews every account that ran out, except the one that the demo shows to the visitor: it stays as
// described, however long the demo runs.
import { createServer, type Server } from "node:http";
import { afterEach, beforeEach, expect, test } from "vitest";
import { renewAccounts } from "../../src/cli/demo/routine.ts";
import { Panel } from "../../src/client/index.ts";

let server: Server;
let url: string;
/** Ids of accounts that are off, in the order of the list. */
let spent: string[];
let renewed: string[];

beforeEach(async () => {
  spent = [];
  renewed = [];
  server = createServer((request, response) => {
    const [, id] = /\/users\/(\d+)\/renew$/.exec(request.url ?? "") ?? [];
    if (id !== undefined) {
      renewed.push(id);
      spent = spent.filter((each) => each !== id);
    }
    response.setHeader("content-type", "application/json");
    response.end(
      JSON.stringify(
        id === undefined ? { items: spent.slice(0, 2).map((each) => ({ id: each, name: `user-${each}` })) } : {},
      ),
    );
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
});
afterEach(() => new Promise((done) => server.close(done)));

test("the shown account stays off, wherever in the list it comes to stand", async () => {
  const round = renewAccounts(new Panel({ url, token: "token" }), "32");
  for (const now of [["32"], ["32", "40"], ["7", "32", "40"], ["32", "40"], ["2", "32"]]) {
    spent = now;
    await round();
  }
  expect(renewed).toEqual(["40", "7", "40", "2"]);
});
