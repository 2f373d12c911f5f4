// What judging usage asks of a process's memory: who is served where, and which inbounds the templates have that nodes
// report from.
import type { TemplateContent } from "../desired/structure.ts";
import type { UserSets } from "../desired/user-sets.ts";
import type { Served } from "./usage-judge.ts";

export class ServedMemory implements Served {
  readonly #users: Pick<UserSets, "known" | "serves" | "changedAt">;
  readonly #template: (id: number) => Promise<TemplateContent | undefined>;
  /** By template, until one changes. */
  readonly #inbounds = new Map<number, Promise<ReadonlySet<number>>>();

  constructor(
    users: Pick<UserSets, "known" | "serves" | "changedAt">,
    template: (id: number) => Promise<TemplateContent | undefined>,
  ) {
    this.#users = users;
    this.#template = template;
  }

  known(): Promise<void> {
    return this.#users.known();
  }

  serves(templateId: number, userId: number, inboundId: number): boolean {
    return this.#users.serves(templateId, userId, inboundId);
  }

  userChangedAt(userId: number): number | undefined {
    return this.#users.changedAt(userId);
  }

  inboundsOf(templateId: number): Promise<ReadonlySet<number>> {
    const known = this.#inbounds.get(templateId);
    if (known) return known;
    const reading = this.#read(templateId);
    this.#inbounds.set(templateId, reading);
    reading.catch(() => {
      if (this.#inbounds.get(templateId) === reading) this.#inbounds.delete(templateId);
    });
    return reading;
  }

  /** Something that templates are made of has changed. */
  forgetInbounds(): void {
    this.#inbounds.clear();
  }

  async #read(templateId: number): Promise<ReadonlySet<number>> {
    const template = templateId === 0 ? undefined : await this.#template(templateId);
    return new Set(template?.inbounds.map(({ id }) => id));
  }
}
