// Certificates of servers in tests, made by the code that makes a panel's own: no program is needed for it.
import { issueSelfSigned } from "../src/certificates/self-signed.ts";

/** PEM. */
export interface Pair {
  readonly certificate: string;
  readonly key: string;
}

/** A certificate for these names and addresses that signs itself, with a key of its own each time. */
export async function selfSigned(...names: readonly string[]): Promise<Pair> {
  const { certificate, privateKey } = await issueSelfSigned(names, Date.now());
  return { certificate, key: privateKey };
}
