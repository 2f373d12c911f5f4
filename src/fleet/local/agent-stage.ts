// A copy of what a local agent runs, that every user of the machine may read and only root may write: node, the agent's
// sources with the packages that they import, and the engines. The originals may lie in root's home, where an agent of
// another user could not read its own code.
//
// One copy serves all panels of a machine. Its name is made of what the originals are (path, size, times, inode) and of
// the boot, since a power cut may leave files half written under their names: so a copy that is there is whole, and a
// start compares names instead of contents.
import { createHash } from "node:crypto";
import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
} from "node:fs";
import { chmod, copyFile, mkdir, mkdtemp, readdir, rename, rm, utimes } from "node:fs/promises";
import { basename, delimiter, dirname, join, relative } from "node:path";
import { userOf } from "../../lib/proc.ts";
import { agentPackages, importedSources } from "./agent-packages.ts";
import { isAgentUser } from "./agent-user.ts";

/** Other programs that an agent runs in addition to `node`: of the panel's PATH, else staged ones. */
const ENGINES = ["xray", "sing-box", "v2ray", "v2ctl"];
/**
 * Where the agent and its net keeper begin. The entry point imports every command when it is asked for; of those only
 * these are.
 */
const COMMANDS = ["src/agent/agent.cli.ts", "src/agent/net-admin/keeper.cli.ts"];
const ENTRY = ["package.json", "src/main.ts"];
/** What the entry point imports always. */
const FIRST = ["src/version.ts", "src/lib/inherited.ts"];
const NEVER_RUN = /\.(d\.[cm]?ts|map|md|markdown|flow)$/;
const DAY_MS = 86_400_000;

export interface StageOptions {
  /** Where copies are kept, and nothing else; its parents are open to everybody. */
  readonly directory: string;
  /** The checkout that the panel runs from. */
  readonly root: string;
  readonly node: string;
  /** PATH of the panel. */
  readonly searchPath: string;
  /** Where the newest staged engine of this name is, for this machine (`src/staged/`). */
  readonly stagedEngine: (name: string) => Promise<string | undefined>;
  readonly now: () => number;
}

export interface Stage {
  readonly node: string;
  readonly main: string;
  /** Directory of the engines. */
  readonly programs: string;
}

/** The copy of what is there now; made where it is missing. Rejects with the file system's error. */
export async function openStage(options: StageOptions): Promise<Stage> {
  const { directory, root } = options;
  await makeOpenDirectory(directory);
  const programs = [{ name: "node", file: realpathSync(options.node) }, ...(await enginesFound(options))];
  const imported = [...FIRST, ...COMMANDS].flatMap((path) => importedSources(join(root, path)));
  const sources = [...new Set([...ENTRY.map((path) => join(root, path)), ...imported])];
  const packages = agentPackages(root, sources);
  const programsAt = await copied(
    options,
    "programs",
    programs.map(({ name, file }) => `${name} ${identityOf(file)}`),
    async (draft) => {
      for (const { name, file } of programs) await copyOne(file, join(draft, name), 0o555);
    },
  );
  const code = await copied(
    options,
    "code",
    [...sources, ...packages.map((each) => join(each, "package.json"))].map(identityOf),
    async (draft) => {
      const files = [...sources, ...packages.flatMap((each) => filesIn(each).filter((file) => !NEVER_RUN.test(file)))];
      for (const folder of new Set(files.map((file) => dirname(relative(root, file)))))
        await makeFolders(draft, folder);
      await inTurns(files, 8, async (file) => copyOne(file, join(draft, relative(root, file)), 0o444));
    },
  );
  return { node: join(programsAt, "node"), main: join(code, "src/main.ts"), programs: programsAt };
}

/** Takes away copies that no process runs and no panel asked for since a day, and what a kill left of others. */
export async function pruneStage(directory: string, now: number): Promise<void> {
  // Only commands of root and of agents count: a command line of any other user keeps no copy.
  const commands = readdirSync("/proc").flatMap((name) => {
    const user = /^\d+$/.test(name) ? userOf(Number(name)) : undefined;
    return user === undefined || (user !== process.getuid?.() && !isAgentUser(user)) ? [] : [commandOf(name)];
  });
  for (const name of await readdir(directory)) {
    const path = join(directory, name);
    const untouched = now - (lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now);
    if (untouched < DAY_MS || commands.some((command) => command.includes(path))) continue;
    await rm(path, { recursive: true, force: true });
  }
}

/** `what-<digest>` in the directory, made in one step. Being asked for keeps it from being pruned. */
async function copied(
  { directory, now }: StageOptions,
  what: string,
  identity: readonly string[],
  fill: (draft: string) => Promise<void>,
): Promise<string> {
  const boot = readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
  const digest = createHash("sha256")
    .update(JSON.stringify([boot, ...identity]))
    .digest("hex");
  const place = join(directory, `${what}-${digest.slice(0, 32)}`);
  if (!existsSync(place)) {
    const draft = await mkdtemp(join(directory, "new-"));
    try {
      await fill(draft);
      await chmod(draft, 0o755);
      await rename(draft, place);
    } catch (error) {
      await rm(draft, { recursive: true, force: true });
      // Another panel was faster.
      if (!existsSync(place)) throw error;
    }
  }
  const seconds = now() / 1000;
  await utimes(place, seconds, seconds);
  return place;
}

/** It belongs to root and nobody else can write there, because files in it are executed. */
async function makeOpenDirectory(path: string): Promise<void> {
  await mkdir(path, { recursive: true });
  const stat = lstatSync(path);
  if (!stat.isDirectory() || stat.uid !== process.getuid?.())
    throw new Error(`${path} is not a directory of the panel's user`);
  if ((stat.mode & 0o777) !== 0o755) await chmod(path, 0o755);
}

async function makeFolders(draft: string, folder: string): Promise<void> {
  const parts = folder.split("/");
  for (let depth = 1; depth <= parts.length; depth++) {
    const path = join(draft, ...parts.slice(0, depth));
    await mkdir(path, { recursive: true });
    await chmod(path, 0o755);
  }
}

async function copyOne(from: string, to: string, mode: number): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_FICLONE);
  await chmod(to, mode);
}

async function inTurns<T>(items: readonly T[], workers: number, work: (item: T) => Promise<void>): Promise<void> {
  const left = items.values();
  await Promise.all(
    Array.from({ length: workers }, async () => {
      for (const item of left) await work(item);
    }),
  );
}

async function enginesFound({ searchPath, stagedEngine }: StageOptions): Promise<{ name: string; file: string }[]> {
  const found: { name: string; file: string }[] = [];
  for (const name of ENGINES) {
    const file = findProgram(name, searchPath) ?? (await stagedEngine(name));
    if (file !== undefined) found.push({ name, file });
  }
  return found;
}

function findProgram(name: string, searchPath: string): string | undefined {
  for (const folder of searchPath.split(delimiter)) {
    try {
      const file = realpathSync(join(folder, name));
      accessSync(file, constants.X_OK);
      if (folder !== "" && statSync(file).isFile()) return file;
    } catch {
      // Not there: the next folder.
    }
  }
  return undefined;
}

/** A file, or all in a directory but packages' own packages, which are told one by one. */
function filesIn(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
    const inner = join(path, entry.name);
    if (entry.isDirectory()) return basename(inner) === "node_modules" ? [] : filesIn(inner);
    return entry.isFile() ? [inner] : [];
  });
}

function identityOf(file: string): string {
  const { dev, ino, size, mtimeNs, ctimeNs } = statSync(file, { bigint: true });
  return [realpathSync(file), dev, ino, size, mtimeNs, ctimeNs].join(" ");
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return ""; // Gone meanwhile.
  }
}
