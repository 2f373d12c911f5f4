// The whole: PostgreSQL, panels, load balancer, in a folder that keeps it for the next start.
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Child } from "./child.ts";
import { startBalancer } from "./haproxy.ts";
import { startSharedPanel, type PanelPlan } from "./panels.ts";
import { startPostgres } from "./postgresql.ts";

export interface ScaleOutPlan {
  /** Absolute. */
  readonly folder: string;
  readonly panels: number;
  /** The load balancer's port; the panels take the ports after it, PostgreSQL the one after those. */
  readonly port: number;
  readonly show: (text: string) => void;
}

export interface ScaleOut {
  /** The address of the load balancer. */
  readonly url: string;
  readonly databaseUrl: string;
  readonly setupToken: string;
  readonly panels: { readonly url: string; child: Child }[];
  /** Starts panel `index` again after it was ended. */
  restart(index: number): Promise<void>;
  /** Ends everything. */
  stop(): Promise<void>;
}

export async function startScaleOut({ folder, panels: count, port, show }: ScaleOutPlan): Promise<ScaleOut> {
  mkdirSync(folder, { recursive: true });
  const started: Child[] = [];
  const stop = async () => {
    for (const child of started.toReversed()) await child.end();
  };
  try {
    const postgres = await startPostgres(join(folder, "postgresql"), port + count + 1, show);
    started.push(postgres.child);
    const secretKey = kept(join(folder, "secret.key"));
    const setupToken = kept(join(folder, "setup.token")).slice(0, 32);
    const plans: PanelPlan[] = Array.from({ length: count }, (_, index) => ({
      name: `panel-${index + 1}`,
      port: port + 1 + index,
      folder,
      databaseUrl: postgres.url,
      secretKey,
      setupToken,
    }));
    const panels: { url: string; child: Child }[] = [];
    for (const plan of plans) {
      const child = await startSharedPanel(plan, show);
      started.push(child);
      panels.push({ url: `http://127.0.0.1:${plan.port}`, child });
    }
    started.push(await startBalancer(folder, port, plans, show));
    const restart = async (index: number) => {
      const [plan, panel] = [plans[index], panels[index]];
      if (!plan || !panel) throw new Error(`there is no panel ${index}`);
      panel.child = await startSharedPanel(plan, show);
      started.push(panel.child);
    };
    return { url: `http://127.0.0.1:${port}`, databaseUrl: postgres.url, setupToken, panels, restart, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** 64 random hex digits, the same at every start. */
function kept(file: string): string {
  if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString("hex"), { mode: 0o600 });
  return readFileSync(file, "utf8").trim();
}
