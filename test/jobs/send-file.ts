// An import over the API, as a program sends it.
import type { Answer, WholePanel } from "../whole-panel.ts";

/** A file sent as it is. */
export async function sendFile(
  panel: WholePanel,
  query: string,
  text: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = { authorization: `Bearer ${panel.token}` },
): Promise<Pick<Answer, "status" | "body">> {
  const answer = await fetch(`${panel.url}/api/v1/users/import${query}`, { method: "POST", headers, body: text });
  return { status: answer.status, body: await answer.json() };
}
