// Every name that the server has for people to read has words, and no words are left of names that are gone. English is
// compared with the server; the compiler holds the other languages to English.
import { afterAll, beforeAll, expect, test } from "vitest";
import { wordLists } from "../../../scripts/catalogue/words.ts";
import { SCOPES } from "../../../src/http/index.ts";
import { PANEL } from "../../../src/panel/features.ts";
import { en } from "../../../src/web/words/en.ts";
import * as catalogues from "../../../src/web/words/catalogues/en.ts";
import * as features from "../../../src/web/words/features/en.ts";
import { openWalkedPanel, type WalkedPanel } from "../../access/route-table.ts";
import { expectCurrent } from "../../generated-file.ts";

let panel: WalkedPanel;
beforeAll(async () => {
  panel = await openWalkedPanel("sqlite");
});
afterAll(() => panel.dispose());

/** Names without words, and words without a name. */
function differing(words: object, names: Iterable<string>): { readonly missing: string[]; readonly stale: string[] } {
  const wanted = new Set(names);
  const said = new Set(Object.keys(words));
  return {
    missing: [...wanted].filter((name) => !said.has(name)),
    stale: [...said].filter((name) => !wanted.has(name)),
  };
}

const NONE = { missing: [], stale: [] };
const TELL = "words are in src/web/<feature>/words/{en,fa,ru,zh}.ts, in the export of this name";

test("the lists and the catalogues are current: `npm run words` writes them", async () => {
  for (const { file, text } of wordLists()) await expectCurrent(file, text);
});

test("`settingLabels` names every setting that is listed", () => {
  const listed = Object.entries(PANEL.settings).filter(([, { internal }]) => !internal);
  expect(
    differing(
      en.settingLabels,
      listed.map(([name]) => name),
    ),
    TELL,
  ).toEqual(NONE);
});

test("`raised` says every event of the catalogue, and `families` what they are about", () => {
  const families = Object.values(PANEL.events).map(({ family }) => family);
  expect(differing(en.families, families), TELL).toEqual(NONE);
  expect(differing(en.raised, Object.keys(PANEL.events)), TELL).toEqual(NONE);
});

test("`subjects` names what each route changes", () => {
  const keys = panel.routes.flatMap(({ audit }) => (audit ? [audit.key] : []));
  expect(differing(en.subjects, keys), TELL).toEqual(NONE);
});

test("each export of a folder's words is its pages' or has a catalogue", () => {
  const uses = Object.entries(features).flatMap(([feature, words]) =>
    Object.keys(words).map((use) => ({ use, feature })),
  );
  const known = ["page", ...Object.keys(catalogues)];
  expect(uses.filter(({ use }) => !known.includes(use))).toEqual([]);
});

test("`scopeAreas` names what each scope is about, and the words of permissions its verb", () => {
  const parts = SCOPES.map((scope) => scope.split(":"));
  const areas = parts.map(([area = ""]) => area);
  expect(differing(en.scopeAreas, areas), TELL).toEqual(NONE);
  const verbs = parts.map(([, verb = ""]) => verb);
  expect(differing(en.access.scopes.verbs, verbs), "verbs are in src/web/words/access/").toEqual(NONE);
});

test("no name has words in two features", () => {
  const named = Object.entries(features).flatMap(([feature, words]) =>
    Object.entries(words).flatMap(([part, entries]) =>
      part === "page" ? [] : Object.keys(entries).map((name) => ({ name: `${part}.${name}`, feature })),
    ),
  );
  const twice = [...Map.groupBy(named, ({ name }) => name)].filter(([, each]) => each.length > 1);
  expect(twice).toEqual([]);
});
