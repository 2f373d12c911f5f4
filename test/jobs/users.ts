// Users and resellers for tests of jobs, over the API; each test has its own.
import { vi } from "vitest";
import type { Answer, WholePanel } from "../whole-panel.ts";

let count = 0;

/** Ids of new users, in order. */
export async function makeUsers(panel: WholePanel, many: number, fields: object = {}): Promise<number[]> {
  const stem = `u${process.pid}-${++count}`;
  const ids: number[] = [];
  for (let from = 0; from < many; from += 1000) {
    const users = Array.from({ length: Math.min(1000, many - from) }, (_, at) => ({
      name: `${stem}-${from + at}`,
      ...fields,
    }));
    const { body } = await panel.call("POST", "/api/v1/users/batch", { users });
    if (body.problems?.length !== 0) throw new Error(`users were not made: ${JSON.stringify(body).slice(0, 500)}`);
    ids.push(...body.created.map(({ id }: { id: number }) => id));
  }
  return ids.toSorted((one, other) => one - other);
}

export interface Reseller {
  readonly id: number;
  readonly roleId: number;
  readonly name: string;
  /** Headers of requests in its name. */
  readonly headers: Record<string, string>;
}

export async function newReseller(panel: WholePanel, fields: object = {}): Promise<Reseller> {
  const name = `reseller-${process.pid}-${++count}`;
  const role = await panel.call("POST", "/api/v1/roles", {
    name,
    base: "resale",
    scopes: ["users:read", "users:write"],
  });
  const password = "correct horse battery";
  const admin = await panel.call("POST", "/api/v1/admins", { username: name, password, role: name, ...fields });
  if (admin.status !== 200) throw new Error(`no reseller: ${admin.text}`);
  const login = await panel.call("POST", "/api/v1/login", { username: name, password }, { cookie: "none=1" });
  const cookie = login.headers.get("set-cookie")?.split(";")[0] ?? "";
  return { id: admin.body.id, roleId: role.body.id, name, headers: { cookie } };
}

/** The job once it has ended. It is asked after now and then, so that asking does not slow it down. */
export async function jobEnded(panel: WholePanel, id: number): Promise<Answer["body"]> {
  return vi.waitUntil(
    async () => {
      const { body, status } = await panel.call("GET", `/api/v1/jobs/${id}`);
      if (status !== 200) throw new Error(`no job ${id}: ${JSON.stringify(body)}`);
      return body.finishedAt > 0 ? body : undefined;
    },
    { interval: 50, timeout: 600_000 },
  );
}
