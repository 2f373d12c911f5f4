// Whether a listener of proofs is the one that is reached at its place: the kernel may lead a port elsewhere, to an
// engine of a local node for example, and an authority that finds nothing there counts a failure.
import { randomBytes } from "node:crypto";
import { get } from "node:http";
import { isIP } from "node:net";
import { PROOF_PATH, type Proofs } from "./proofs.ts";

const PATIENCE_MS = 3000;

/** Asks for a proof of its own over the network. */
export async function reachesItself(
  { host, port }: { readonly host: string; readonly port: number },
  proofs: Pick<Proofs, "addText">,
): Promise<boolean> {
  const [token, text] = [randomBytes(16).toString("hex"), randomBytes(16).toString("hex")];
  const takeAway = proofs.addText(token, text);
  try {
    return (await textAt(loopbackOf(host), port, `${PROOF_PATH}${token}`, text.length)) === text;
  } catch {
    // Whatever is there is no listener of proofs.
    return false;
  } finally {
    takeAway();
  }
}

/** Where a listener on all addresses is reached. */
function loopbackOf(host: string): string {
  if (isIP(host) === 4) return host === "0.0.0.0" ? "127.0.0.1" : host;
  return /^[0:]+$/.test(host) ? "::1" : host;
}

async function textAt(host: string, port: number, path: string, most: number): Promise<string> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  return new Promise((resolve, reject) => {
    const asking = get({ host, port, path, agent: false, signal, headers: { host: "localhost" } }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (piece: string) => {
        text += piece;
        if (text.length > most) asking.destroy(new Error("the answer is too long"));
      });
      answer.on("end", () => resolve(text)).on("error", reject);
    });
    asking.on("error", reject);
  });
}
