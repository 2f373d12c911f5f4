// Which tiles the overview shows: chosen by a person, kept by the panel.
import { expect, test } from "vitest";
import { chosenTiles, keptTiles, moved } from "../../../src/web/overview/tiles.ts";

const all = () => true;
const usersOnly = (id: string) => id !== "nodes" && id !== "panel";

test("nothing chosen is the usual, without what this person may not see", () => {
  expect(chosenTiles(null, all)).toEqual(["users", "online", "nodes", "panel"]);
  expect(chosenTiles("", usersOnly)).toEqual(["users", "online"]);
});

test("a choice keeps its order; keys of others and repeats are no tiles", () => {
  expect(chosenTiles("spent,their-own,users,spent", all)).toEqual(["spent", "users"]);
});

test("what is not this person's to choose stays in what is kept", () => {
  expect(keptTiles(["online"], "users,nodes,their-own", usersOnly)).toBe("online,nodes,their-own");
});

test("a tile moves by one place, and not past the ends", () => {
  expect([moved(["users", "online"], "online", -1), moved(["users", "online"], "online", 1)]).toEqual([
    ["online", "users"],
    ["users", "online"],
  ]);
});
