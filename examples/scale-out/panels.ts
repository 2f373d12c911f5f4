// Panels on one database: each has its own data directory and port; database and secret key are what they share.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startChild, type Child } from "./child.ts";

const MAIN = fileURLToPath(new URL("../../src/main.ts", import.meta.url));

export interface PanelPlan {
  readonly name: string;
  readonly port: number;
  /** The folder of the whole example; the panel takes a folder of its own name in it. */
  readonly folder: string;
  readonly databaseUrl: string;
  /** 64 hex digits. */
  readonly secretKey: string;
  readonly setupToken: string;
}

/** Resolves once the panel listens. */
export async function startSharedPanel(plan: PanelPlan, show: (text: string) => void): Promise<Child> {
  const directory = join(plan.folder, plan.name);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const child = startChild(plan.name, [process.execPath, MAIN, "serve"], {
    env: {
      SIGNALBOX_DATA_DIR: directory,
      SIGNALBOX_DATABASE_URL: plan.databaseUrl,
      SIGNALBOX_SECRET_KEY: plan.secretKey,
      SIGNALBOX_SETUP_TOKEN: plan.setupToken,
      SIGNALBOX_LISTEN: `127.0.0.1:${plan.port}`,
      SIGNALBOX_LOG_LEVEL: "warn",
    },
    show,
  });
  await child.says(/Signalbox listens on/);
  return child;
}
