// `npm run lockfile`, after every `npm install`: names in package-lock.json the optional platform packages that npm
// left out because the registry in use does not carry them. Without them `npm ci` refuses the lockfile ("Missing: …
// from lock file"). They are for other platforms than this one, so nothing fetches them here.
//
// It also leaves out which Node each package asks for. Node 20 may install, and the Node 24 that comes with the
// packages runs them: npm compares the first with what is asked of the second, and would warn of packages that are
// fine. The panel's own `engines` stays: it is what the installing Node must be.
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
lockfile.packages = Object.fromEntries([own, ...others.toSorted(([a], [b]) => a.localeCompare(b, "en"))]);
writeFileSync(FILE, `${JSON.stringify(lockfile, null, 2)}\n`);
console.log(added.length === 0 ? "package-lock.json is complete" : `added ${added.join(", ")}`);
