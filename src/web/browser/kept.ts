// What a person chose of the interface: kept in this browser, and with the account, so that it is there in another one.
// Where the panel cannot be asked, this browser's copy stands and is sent later.
//
// A change sends its own member alone, over what the panel has at that moment: of two browsers none undoes what the
// other chose, but for the one thing that both changed last.

/** The part of `Storage` that is used here. */
export type Shelf = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

export interface Account {
  readonly read: () => Promise<Readonly<Record<string, unknown>>>;
  readonly write: (whole: Readonly<Record<string, unknown>>) => Promise<unknown>;
}

/** Where the browser has what concerns all of its people; the rest is kept for each person apart. */
const SHARED: Readonly<Record<string, string>> = {
  language: "signalbox.language",
  shown: "signalbox.shown",
  theme: "mantine-color-scheme-value",
  density: "signalbox.density",
  firstSteps: "signalbox.first-steps",
};
/** `views.users`, `columns.nodes`: members of one table each. `renewal.days`: what a question proposes. */
const OWN_KINDS = ["views", "columns", "renewal"];

export class KeptChoices {
  readonly #shelf: Shelf;
  readonly #account: Account;
  readonly #listeners = new Set<() => void>();
  #person = 0;
  #sending: Promise<void> = Promise.resolve();

  constructor(shelf: Shelf, account: Account) {
    this.#shelf = shelf;
    this.#account = account;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  get(member: string): string | null {
    return this.#shelf.getItem(this.#place(member));
  }

  set(member: string, value: string): void {
    this.#shelf.setItem(this.#place(member), value);
    this.#tell();
    if (this.#person === 0) return;
    this.#note([...this.#unsent(), member]);
    void this.send();
  }

  /** Somebody is there: what the account has is taken over, what only this browser has is given to it. */
  async begin(person: number): Promise<void> {
    this.#person = person;
    const kept = await this.#account.read().catch(() => undefined);
    if (kept === undefined || this.#person !== person) return;
    const unsent = this.#unsent();
    for (const [member, value] of Object.entries(kept)) {
      if (typeof value !== "string" || !isMember(member) || unsent.includes(member)) continue;
      this.#shelf.setItem(this.#place(member), value);
    }
    this.#tell();
    // What concerns the whole browser may be another person's: it moves over with the first visit alone.
    const first = Object.keys(kept).length === 0;
    const own = this.#here().filter((member) => !(member in kept) && (first || SHARED[member] === undefined));
    if (own.length > 0) this.#note([...unsent, ...own]);
    await this.send();
  }

  /** Nobody is there: choices are the browser's alone. */
  end(): void {
    this.#person = 0;
  }

  /** Sends what the account does not have yet. What is refused, or not answered, waits for the next time. */
  send(): Promise<void> {
    this.#sending = this.#sending.then(() => this.#sendNow()).catch(() => undefined);
    return this.#sending;
  }

  async #sendNow(): Promise<void> {
    const person = this.#person;
    const members = this.#unsent();
    if (person === 0 || members.length === 0) return;
    const now = members.map((member) => [member, this.get(member)] as const);
    const whole = { ...(await this.#account.read()), ...Object.fromEntries(now.filter(([, value]) => value !== null)) };
    await this.#account.write(whole);
    if (this.#person !== person) return;
    // What was chosen again meanwhile is still to be sent.
    const sent = new Map(now);
    this.#note(this.#unsent().filter((member) => sent.get(member) !== this.get(member)));
  }

  #place(member: string): string {
    const [kind = "", ...table] = member.split(".");
    return SHARED[member] ?? `signalbox.${kind}.${this.#person}.${table.join(".")}`;
  }

  /** Members that this browser has something for. */
  #here(): string[] {
    const own = new RegExp(`^signalbox\\.(${OWN_KINDS.join("|")})\\.${this.#person}\\.(.+)$`);
    const places = Array.from({ length: this.#shelf.length }, (_, index) => this.#shelf.key(index) ?? "");
    return places.flatMap((place) => {
      const [, kind, table] = own.exec(place) ?? [];
      const [shared] = Object.entries(SHARED).find(([, each]) => each === place) ?? [];
      return kind === undefined ? (shared ?? []) : `${kind}.${table}`;
    });
  }

  #unsent(): readonly string[] {
    try {
      const listed: unknown = JSON.parse(this.#shelf.getItem(`signalbox.unsent.${this.#person}`) ?? "[]");
      return Array.isArray(listed) ? listed.filter((each): each is string => typeof each === "string") : [];
    } catch {
      // Written by something else: nothing is known to wait.
      return [];
    }
  }

  #note(members: readonly string[]): void {
    const place = `signalbox.unsent.${this.#person}`;
    if (members.length === 0) this.#shelf.removeItem(place);
    else this.#shelf.setItem(place, JSON.stringify([...new Set(members)]));
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

function isMember(member: string): boolean {
  return SHARED[member] !== undefined || OWN_KINDS.some((kind) => member.startsWith(`${kind}.`));
}
