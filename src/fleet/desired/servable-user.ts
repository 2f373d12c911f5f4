// An account as the fleet reads it, and as a node is told of it.
import { sql } from "../../db/index.ts";
import { servedFlow } from "../../dialect/index.ts";
import { storedOwn } from "../../lib/own-credentials.ts";
import type { PlanUser } from "../../protocol/plan.ts";

/** What the fleet reads of an account; a row of `users` has it. */
export interface ServableUser {
  readonly id: number;
  readonly enable: boolean;
  readonly adminId: number;
  readonly config: {
    readonly uuid: string;
    readonly password: string;
    readonly ss16: string;
    readonly ss32: string;
    readonly flow?: string;
    readonly by?: unknown;
  };
  readonly speedLimit: number;
  readonly ipLimit: number;
  readonly allTemplates: boolean;
  readonly templateIds: readonly number[];
  /** The only inbounds that it may use; null: every one of its templates. */
  readonly inboundIds: readonly number[] | null;
}

const NONE_GONE: ReadonlySet<number> = new Set();

/**
 * An account as a node is told of it; undefined while no node serves it. `gone`: inbounds that were deleted; a row that
 * was read before may still name them.
 */
export function planUserOf(user: ServableUser, gone: ReadonlySet<number> = NONE_GONE): PlanUser | undefined {
  const inbounds = user.inboundIds?.filter((id) => !gone.has(id));
  if (!user.enable || inbounds?.length === 0) return undefined;
  const { uuid, password, ss16, ss32, flow, by } = user.config;
  const own = storedOwn(by);
  return {
    id: user.id,
    uuid,
    password,
    ss16,
    ss32,
    flow: servedFlow(flow ?? ""),
    speedLimit: user.speedLimit,
    ipLimit: user.ipLimit,
    ...(inbounds && { inbounds }),
    ...(own && { by: own }),
  };
}

/** Every field of `ServableUser`: one that is missing here does not compile. */
const READ = {
  id: true,
  enable: true,
  adminId: true,
  config: true,
  speedLimit: true,
  ipLimit: true,
  allTemplates: true,
  templateIds: true,
  inboundIds: true,
} as const satisfies Record<keyof ServableUser, true>;
const FIELDS = Object.keys(READ) as (keyof typeof READ)[];

/** Whether nodes are told the same of two versions of an account's row: what did not change is the very same value. */
export function servedAlike(one: ServableUser, other: ServableUser): boolean {
  return FIELDS.every((field) => one[field] === other[field]);
}

const COLUMNS = sql`id, enable, admin_id, config, speed_limit, ip_limit, all_templates, template_ids, inbound_ids`;

/** Accounts as the sets read them: switched on, in id order. */
export function servablePage(after: number, limit: number) {
  return sql`select ${COLUMNS} from users where id > ${after} and enable order by id limit ${limit}`;
}

/** The same of some ids. */
export function servableById(ids: readonly number[]) {
  return sql`select ${COLUMNS} from users where id in (${sql.join(ids)}) and enable order by id`;
}

/** The same of an owner. */
export function servableOfOwner(owner: number, after: number, limit: number) {
  return sql`select ${COLUMNS} from users where admin_id = ${owner} and id > ${after} and enable order by id limit ${limit}`;
}

/** The same of those that name their inbounds. */
export function servableLimited(after: number, limit: number) {
  return sql`select ${COLUMNS} from users where inbound_ids is not null and id > ${after} and enable order by id limit ${limit}`;
}
