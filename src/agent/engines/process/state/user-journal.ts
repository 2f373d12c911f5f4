// Which users a running engine carries, kept on disk as a journal: the engine itself cannot be asked, and its next
// agent must know.
import { appendFileSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { discard } from "./state-file.ts";

/** Digest of a user that the engine may or may not have: an operation on them was running when the agent died. */
export const UNKNOWN = "?";

/**
 * Digest of the account by engine user name, and which engine user a foreign counter name stands for. A disk error does
 * not stop anything: `problem` reports it, and the owner of the state must make sure that the file is not used.
 * Write-ahead: `begin` before an engine is told, `commit` after it has agreed. Lines: `? name`, `+ name digest`,
 * `- name`, `= alias name`.
 */
export class UserJournal {
  readonly #path: string;
  readonly #users = new Map<string, string>();
  readonly #aliases = new Map<string, string>();
  #appended = 0;
  #problem: unknown;

  private constructor(path: string) {
    this.#path = path;
  }

  /** A journal of an engine that is about to start with exactly these users. */
  static create(path: string, users: ReadonlyMap<string, string>, aliases: ReadonlyMap<string, string>): UserJournal {
    const journal = new UserJournal(path);
    for (const [name, digest] of users) journal.#users.set(name, digest);
    for (const [alias, name] of aliases) journal.#aliases.set(alias, name);
    journal.#compact();
    return journal;
  }

  /** The journal of an engine that runs already. A torn last line is an operation that never began. */
  static open(path: string): UserJournal {
    const journal = new UserJournal(path);
    const lines = readFileSync(path, "utf8").split("\n");
    for (const line of lines.slice(0, -1)) {
      const [sign, name = "", value = ""] = line.split(" ");
      if (sign === "+") journal.#users.set(name, value);
      else if (sign === "?") journal.#users.set(name, UNKNOWN);
      else if (sign === "-") journal.#users.delete(name);
      else if (sign === "=") journal.#aliases.set(name, value);
    }
    journal.#compact();
    return journal;
  }

  /** Why the file is not true; undefined while it is. */
  get problem(): unknown {
    return this.#problem;
  }

  /** Writes the file again if it is not true. */
  mend(): void {
    if (this.#problem !== undefined) this.#compact();
  }

  get users(): ReadonlyMap<string, string> {
    return this.#users;
  }

  /** The engine user behind a name that the engine counts under. */
  resolve(counterName: string): string {
    return this.#aliases.get(counterName) ?? counterName;
  }

  begin(names: Iterable<string>): void {
    const list = [...names];
    for (const name of list) this.#users.set(name, UNKNOWN);
    this.#append(list.map((name) => `? ${name}`));
  }

  /** `undefined` as digest: the user is gone. */
  commit(changes: Iterable<readonly [name: string, digest: string | undefined]>): void {
    const lines: string[] = [];
    for (const [name, digest] of changes) {
      if (digest === undefined) this.#users.delete(name);
      else this.#users.set(name, digest);
      lines.push(digest === undefined ? `- ${name}` : `+ ${name} ${digest}`);
    }
    this.#append(lines);
  }

  /**
   * An alias stays with the inbound that it was first given for, as long as it means the same user: its counter must
   * not move between names.
   */
  alias(aliases: ReadonlyMap<string, string>): void {
    const fresh = [...aliases].filter(
      ([alias, name]) => this.#aliases.get(alias)?.split(".")[0] !== name.split(".")[0],
    );
    for (const [alias, name] of fresh) this.#aliases.set(alias, name);
    this.#append(fresh.map(([alias, name]) => `= ${alias} ${name}`));
  }

  remove(): void {
    discard(this.#path);
  }

  #append(lines: readonly string[]): void {
    if (lines.length === 0) return;
    try {
      if (this.#problem === undefined) appendFileSync(this.#path, `${lines.join("\n")}\n`, { mode: 0o600 });
    } catch (error) {
      this.#problem = error;
    }
    this.#appended += lines.length;
    if (this.#appended > 1000 + 2 * this.#users.size) this.#compact();
  }

  #compact(): void {
    const users = [...this.#users].map(([name, digest]) =>
      digest === UNKNOWN ? `? ${name}\n` : `+ ${name} ${digest}\n`,
    );
    const aliases = [...this.#aliases].map(([alias, name]) => `= ${alias} ${name}\n`);
    this.#appended = 0;
    try {
      writeFileSync(`${this.#path}.new`, [...users, ...aliases].join(""), { mode: 0o600 });
      renameSync(`${this.#path}.new`, this.#path);
      this.#problem = undefined;
    } catch (error) {
      this.#problem = error;
    }
  }
}
