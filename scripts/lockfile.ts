// `npm run lockfile`, after every `npm install`: names in package-lock.json the optional platform packages that npm
// left out because the registry in use does not carry them. Without them `npm ci` refuses the lockfile ("Missing: …
// from lock file"). They are for other platforms than this one, so nothing fetches them here.
//
// Each gets its digest from the registry (`npm view`), so that every package that anybody ever installs by this file is
// the one that was looked at (docs/packages.md).
//
// It also leaves out which Node each package asks for. Node 20 may install, and the Node 24 that comes with the
// packages runs them: npm compares the first with what is asked of the second, and would warn of packages that are
// fine. The panel's own `engines` stays: it is what the installing Node must be.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { z } from "zod";

const FILE = new URL("../package-lock.json", import.meta.url);

const Lockfile = z.looseObject({
  packages: z.record(
    z.string(),
    z.looseObject({
      dev: z.boolean().optional(),
      engines: z.unknown().optional(),
      optionalDependencies: z.record(z.string(), z.string()).optional(),
      version: z.string().optional(),
      integrity: z.string().optional(),
      license: z.string().optional(),
    }),
  ),
});

const SYSTEMS = ["android", "darwin", "freebsd", "linux", "openharmony", "win32"];
const PROCESSORS = ["arm64", "arm", "ia32", "ppc64", "riscv64", "s390x", "x64"];

/** What a package such as `@oxlint/binding-linux-arm64-musl` runs on, from its name; npm installs it nowhere else. */
function platformOf(name: string) {
  const words = name.split(/[/-]/);
  const system = SYSTEMS.find((each) => words.includes(each));
  const processor = PROCESSORS.find((each) => words.includes(each));
  if (!system || !processor) throw new Error(`the platform of ${name} cannot be told from its name`);
  const library = words.some((word) => word.startsWith("musl")) ? "musl" : "glibc";
  return { os: [system], cpu: [processor], ...(system === "linux" ? { libc: [library] } : {}) };
}

/** A digest is asked of the registry that is in use; what it does not have stops the script. */
const Published = z.object({ "dist.integrity": z.string().startsWith("sha512-"), license: z.string().optional() });

function published(name: string, version: string): z.output<typeof Published> {
  const said = execFileSync("npm", ["view", `${name}@${version}`, "dist.integrity", "license", "--json"], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  const found: unknown = JSON.parse(said);
  // With one answer alone npm leaves its name away.
  return Published.parse(typeof found === "string" ? { "dist.integrity": found } : found);
}

const lockfile = Lockfile.parse(JSON.parse(readFileSync(FILE, "utf8")));
const added: string[] = [];
for (const [path, { dev, optionalDependencies }] of Object.entries(lockfile.packages)) {
  for (const [name, version] of Object.entries(optionalDependencies ?? {})) {
    if (lockfile.packages[`node_modules/${name}`] || lockfile.packages[`${path}/node_modules/${name}`]) continue;
    lockfile.packages[`node_modules/${name}`] = {
      version,
      ...platformOf(name),
      ...(dev ? { dev } : {}),
      optional: true,
    };
    added.push(`${name}@${version}`);
  }
}
const [own, ...others] = Object.entries(lockfile.packages);
if (!own) throw new Error("package-lock.json has no packages");
for (const [, entry] of others) delete entry.engines;
let digests = 0;
for (const [path, entry] of others) {
  if (entry.integrity !== undefined) continue;
  const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
  if (entry.version === undefined) throw new Error(`${path} has no version`);
  const { "dist.integrity": integrity, license } = published(name, entry.version);
  Object.assign(entry, { integrity, ...(license === undefined ? {} : { license }) });
  digests += 1;
}
lockfile.packages = Object.fromEntries([own, ...others.toSorted(([a], [b]) => a.localeCompare(b, "en"))]);
// Parsed again: the schema's order of members is that of the file, however long a member is there.
writeFileSync(FILE, `${JSON.stringify(Lockfile.parse(lockfile), null, 2)}\n`);
console.log(added.length === 0 ? "package-lock.json is complete" : `added ${added.join(", ")}`);
if (digests > 0) console.log(`${digests} digests asked of the registry`);
