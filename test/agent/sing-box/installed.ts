// sing-box as it is installed here, and a certificate for its tests.
import { probeSingBox, type InstalledSingBox } from "../../../src/agent/engines/sing-box/probe.ts";
import { selfSigned } from "../../certificate.ts";

/** Without it the tests are skipped aloud, but in CI they fail. */
export async function findSingBox(): Promise<InstalledSingBox | undefined> {
  const installed = await probeSingBox();
  if (!installed && process.env["CI"] === "true") throw new Error("sing-box is not installed: CI must have it");
  if (!installed) console.warn("SKIPPED: sing-box is not installed");
  return installed;
}

/** For `node.test`. */
export const PAIR = await selfSigned("node.test");
