// The names that the panel answers under, and keeping its own certificate on them (rule certificates.own.2).
import type { PanelCertificates } from "../../certificates/index.ts";
import type { Draft } from "../../db/index.ts";
import { Refusal } from "../../http/index.ts";

/** Writes of these may change what the certificate must cover. */
export const NAME_KEYS: readonly string[] = ["sub_domain", "web_domain"];
const ROUNDS = 8;

/**
 * Names that the panel's own certificate must cover: its domain, every subscription domain, wildcards too; without any,
 * the loopback's.
 */
export function panelNames(webDomain: string, subDomain: string): string[] {
  const names = [webDomain, ...subDomain.split(",")].map((name) => name.trim()).filter((name) => name !== "");
  return names.length === 0 ? ["localhost", "127.0.0.1"] : [...new Set(names)];
}

/** A certificate made for names before the change that needs it. */
export interface Reissued {
  readonly names: readonly string[];
  readonly put: (draft: Draft, id: number) => void;
}

/** A change needs a certificate for names that none was made for yet: it is decided again with one. */
class NamesMoved extends Error {
  override readonly name = "NamesMoved";
  readonly names: readonly string[];
  constructor(names: readonly string[]) {
    super("the panel's names changed");
    this.names = names;
  }
}

function same(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name) => other.includes(name));
}

/**
 * In a change that wrote a name: puts a certificate that covers all of them in the place of the panel's own, unless
 * that one does.
 */
export function coverNames(
  draft: Draft,
  certificates: PanelCertificates,
  {
    id,
    names,
    reissued,
  }: { readonly id: number; readonly names: readonly string[]; readonly reissued: Reissued | undefined },
): void {
  const covered = certificates.namesOf(draft, id);
  if (covered === undefined || same(covered, names)) return;
  if (!reissued || !same(reissued.names, names)) throw new NamesMoved(names);
  reissued.put(draft, id);
}

/**
 * Carries out a change that may call `coverNames`. Keys are made outside transactions: where the change asks for a
 * certificate, one is made and the change is carried out again.
 */
export async function withCertificate<T>(
  certificates: PanelCertificates | undefined,
  change: (reissued: Reissued | undefined) => Promise<T>,
): Promise<T> {
  let reissued: Reissued | undefined;
  for (let round = 0; round < ROUNDS; round++) {
    try {
      return await change(reissued);
    } catch (error) {
      if (!(error instanceof NamesMoved) || !certificates) throw error;
      reissued = { names: error.names, put: await certificates.reissue(error.names) };
    }
  }
  throw new Refusal("conflict", {
    code: "changed_meanwhile",
    message: "the panel's names are being changed by others",
  });
}
