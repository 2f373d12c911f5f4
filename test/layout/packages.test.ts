// Packages of others: each is looked at before it is used (docs/packages.md), is installed by its digest alone, and
// runs nothing when it is installed.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";

const Entry = z.object({
  version: z.string().optional(),
  resolved: z.string().optional(),
  link: z.boolean().optional(),
  integrity: z.string().optional(),
  license: z.string().optional(),
  hasInstallScript: z.boolean().optional(),
  os: z.union([z.string(), z.array(z.string())]).optional(),
  cpu: z.union([z.string(), z.array(z.string())]).optional(),
  dependencies: z.record(z.string(), z.string()).default({}),
  devDependencies: z.record(z.string(), z.string()).default({}),
  optionalDependencies: z.record(z.string(), z.string()).default({}),
  peerDependencies: z.record(z.string(), z.string()).default({}),
});
type Entry = z.output<typeof Entry>;
const Manifest = Entry.extend({ scripts: z.record(z.string(), z.string()).default({}) });

const manifest = Manifest.parse(JSON.parse(readFileSync("package.json", "utf8")));
const { packages } = z
  .object({ packages: z.record(z.string(), Entry) })
  .parse(JSON.parse(readFileSync("package-lock.json", "utf8")));
const others = Object.entries(packages).filter(([path]) => path !== "");
const document = readFileSync("docs/packages.md", "utf8");
const direct = { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies };
const LICENCES =
  /^(MIT|ISC|0BSD|Apache-2\.0|BSD-[23]-Clause|MPL-2\.0|OFL-1\.1|BlueOak-1\.0\.0|Unlicense|\(MIT OR CC0-1\.0\)|EPL-2\.0 OR GPL-3\.0-or-later)$/;

const nameOf = (path: string): string => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);

/** The rows of the tables below a heading. */
function rowsBelow(heading: string): string[][] {
  const [, section = ""] = document.split(`## ${heading}\n`);
  return (section.split("\n## ")[0] ?? "")
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .slice(1)
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll("\\*", "*")),
    )
    .filter(([first = ""]) => !/^-+$/.test(first));
}

const reviewed = ["Of the panel and the agent", "Of the interface", "Of development"].flatMap(rowsBelow);

describe("the lock file", () => {
  test("has the SHA-512 of every package, and takes none from a host, a repository or a file", () => {
    const wrong = others.flatMap(([path, { integrity = "", resolved, link }]) => [
      ...(/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity) ? [] : [`${path} has no SHA-512`]),
      ...(resolved === undefined && link === undefined ? [] : [`${path} comes from ${resolved ?? "a link"}`]),
    ]);
    expect(wrong).toEqual([]);
    expect(others.length).toBeGreaterThan(400);
  });

  test("is of exact versions, as package.json names them, of a registry", () => {
    for (const [name, wanted] of Object.entries(direct)) {
      expect([name, wanted]).toEqual([name, expect.stringMatching(/^\d+\.\d+\.\d+(-[\w.]+)?$/)]);
      expect([name, packages[`node_modules/${name}`]?.version]).toEqual([name, wanted]);
    }
    const elsewhere = others.flatMap(([path, { dependencies, optionalDependencies }]) =>
      Object.entries({ ...dependencies, ...optionalDependencies })
        .filter(([, wanted]) => /[:/]/.test(wanted) && !wanted.startsWith("npm:"))
        .map(([name, wanted]) => `${path} asks for ${name} from ${wanted}`),
    );
    expect(elsewhere).toEqual([]);
  });
});

describe("docs/packages.md", () => {
  test("has a row with its licence and its reason for every package that package.json names, and no other", () => {
    expect(reviewed.map(([name = ""]) => name).toSorted()).toEqual(Object.keys(direct).toSorted());
    for (const [name = "", licence, why = ""] of reviewed) {
      expect([name, licence]).toEqual([name, packages[`node_modules/${name}`]?.license]);
      expect([name, why.length > 0]).toEqual([name, true]);
    }
    const groups = (heading: string) => rowsBelow(heading).map(([name = ""]) => name);
    const own = { ...manifest.dependencies, ...manifest.optionalDependencies };
    expect(groups("Of the panel and the agent").toSorted()).toEqual(Object.keys(own).toSorted());
  });

  test("names every package that would run something at install", () => {
    const declared = others.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => nameOf(path));
    expect(rowsBelow("Install scripts").map(([name]) => name)).toEqual(declared);
  });

  test("names every package with compiled code", () => {
    const patterns = rowsBelow("Programs and native code").flatMap(([names = ""]) => names.split(", "));
    const isNamed = (name: string): boolean =>
      patterns.some((pattern) => (pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern));
    const compiled = others.flatMap(([path, { os, cpu }]) => {
      const platform = os !== undefined || cpu !== undefined;
      return platform || (existsSync(path) && hasNative(path)) ? [nameOf(path)] : [];
    });
    expect([...new Set(compiled)].filter((name) => !isNamed(name))).toEqual([]);
    const unused = patterns.filter((pattern) => !compiled.some((name) => name.startsWith(pattern.replace(/\*$/, ""))));
    expect(unused).toEqual([]);
  });

  test("every licence is one of those that it names", () => {
    const wrong = others.filter(([, { license = "" }]) => !LICENCES.test(license));
    expect(wrong.map(([path, { license }]) => `${path}: ${license}`)).toEqual([]);
  });

  test("packages-indirect.txt has every other package with the one that brings it, and no other", () => {
    const listed = readFileSync("docs/packages-indirect.txt", "utf8").trim().split("\n");
    const found = [...broughtBy()].map(([name, by]) => `${name} by ${by}`).toSorted();
    expect(listed).toEqual(found);
  });
});

/** Compiled code in the package's own folder; packages inside it are their own. */
function hasNative(folder: string): boolean {
  return readdirSync(folder, { withFileTypes: true }).some((each) => {
    if (each.name === "node_modules") return false;
    return each.isDirectory() ? hasNative(join(folder, each.name)) : /\.(node|so|dylib|dll|exe)$/.test(each.name);
  });
}

/** For each package that package.json does not name: the named one that brings it by the shortest way. */
function broughtBy(): Map<string, string> {
  const by = new Map(Object.keys(direct).map((name) => [`node_modules/${name}`, name]));
  for (let reached = [...by.keys()].toSorted(); reached.length > 0;)
    reached = reached.flatMap((path) => {
      const { dependencies, optionalDependencies, peerDependencies } = packages[path] ?? Entry.parse({});
      return Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }).flatMap((name) => {
        const place = placeFor(path, name);
        if (place === undefined || by.has(place)) return [];
        by.set(place, by.get(path) ?? "");
        return [place];
      });
    });
  const missing = others.filter(([path]) => !by.has(path)).map(([path]) => path);
  expect(missing).toEqual([]);
  const indirect = [...by].filter(([path]) => path !== `node_modules/${nameOf(path)}` || !(nameOf(path) in direct));
  return new Map(indirect.toReversed().map(([path, name]) => [nameOf(path), name]));
}

/** Where node finds `name` for the package at `path`. */
function placeFor(path: string, name: string): string | undefined {
  const folders = [path];
  for (let at = path.lastIndexOf("/node_modules/"); at > 0; at = path.lastIndexOf("/node_modules/", at - 1))
    folders.push(path.slice(0, at));
  return [...folders.map((folder) => `${folder}/node_modules/${name}`), `node_modules/${name}`].find(
    (place) => packages[place],
  );
}

describe("an install", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "signalbox-packages-"));
    // What npm reads for the panel, and nothing of whoever runs the test.
    writeFileSync(join(folder, ".npmrc"), readFileSync(".npmrc", "utf8"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const npm = (...words: string[]): string =>
    execFileSync("npm", [...words, "--offline", "--cache", join(folder, "cache")], {
      cwd: folder,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
      env: { PATH: process.env["PATH"], HOME: folder, npm_config_userconfig: join(folder, "none") },
    });

  /** Scripts of all names under which npm runs something at install; each leaves a file. */
  const traces = (mark: string): Record<string, string> =>
    Object.fromEntries(
      [
        "preinstall",
        "install",
        "postinstall",
        "preprepare",
        "prepare",
        "postprepare",
        "prepublish",
        "dependencies",
      ].map((name) => [name, `node -e "require('node:fs').writeFileSync('${join(folder, `${mark}-${name}`)}','')"`]),
    );

  test("of Signalbox runs nothing of its own", () => {
    const run = [
      "preinstall",
      "install",
      "postinstall",
      "prepublish",
      "preprepare",
      "prepare",
      "postprepare",
      "dependencies",
    ];
    expect(Object.keys(manifest.scripts).filter((name) => run.includes(name))).toEqual([]);
    expect(existsSync("binding.gyp")).toBe(false);
    expect(npm("config", "get", "ignore-scripts").trim()).toBe("true");
  });

  // Four starts of npm: its time is not what this is about.
  test("of a package runs none of its scripts, by npm install and by npm ci", () => {
    const canary = join(folder, "canary");
    mkdirSync(canary);
    writeFileSync(
      join(canary, "package.json"),
      JSON.stringify({ name: "canary", version: "1.0.0", scripts: traces("canary") }),
    );
    // npm would compile it.
    writeFileSync(join(canary, "binding.gyp"), "{}");
    npm("pack", "./canary", "--pack-destination", folder);
    writeFileSync(
      join(folder, "package.json"),
      JSON.stringify({
        name: "a-panel",
        version: "1.0.0",
        dependencies: { canary: "file:canary-1.0.0.tgz" },
        scripts: traces("panel"),
      }),
    );
    npm("install");
    npm("ci");
    expect(existsSync(join(folder, "node_modules/canary/package.json"))).toBe(true);
    const left = readdirSync(folder).filter((name) => /^(canary|panel)-(?!1\.0\.0)/.test(name));
    expect(left).toEqual([]);
    // And the trace is one: without the panel's settings it is there.
    rmSync(join(folder, ".npmrc"));
    npm("ci", "--ignore-scripts=false");
    expect(existsSync(join(folder, "panel-postinstall"))).toBe(true);
  }, 300_000);
});
