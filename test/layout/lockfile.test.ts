// `npm ci` says nothing of packages that are fine: Node 20 installs, Node 24 runs.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

interface Lockfile {
  readonly packages: Readonly<Record<string, { readonly engines?: object }>>;
}

test("the lockfile holds the installing Node to what the panel asks of it, and not to what its packages ask of the running one", () => {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as Lockfile;
  const asking = Object.entries(packages).filter(([, { engines }]) => engines !== undefined);
  expect(asking.map(([path]) => path)).toEqual([""]);
});
