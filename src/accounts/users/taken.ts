// The values of accounts that only one may have (name, link, reference), for changes that make many at once: a value
// that is taken refuses its own account, where the database would refuse the whole commit. A name and a reference open
// nothing, so that they are taken is told for nothing; of a link it is told at a price (`links/`).
import { sql, type Reader } from "../../db/index.ts";
import { Refusal, visibleTo, type Owning } from "../../http/index.ts";
import { isOthersLink, linkHolders, refuseTakenLink, type LinkDeps, type LinkHolders } from "../links/link-holders.ts";
import { PlanRows } from "../records/plan.entity.ts";
import { type UserCreateBody } from "./users.schema.ts";
import { UserName } from "../records/limits.schema.ts";

/** The fields of a new account's body that must be unique, and its plan, which may wrap the name. */
export type NamedBody = Pick<UserCreateBody, "name" | "planId" | "subId" | "externalId">;

/** Throws 400 `duplicate` that names the field. */
export function refuseTaken(field: string): never {
  throw new Refusal("duplicate", { message: `${field}: the value is taken`, field });
}

/** What accounts that are there have of the values that only one may have. */
export interface Standing {
  /** The name that a body's account has in the end: a plan may wrap it. */
  nameOf(body: NamedBody): string;
  /** Accounts by name; those of others have no id. */
  readonly byName: ReadonlyMap<string, { readonly id: number | undefined }>;
  /** Accounts that have the links now, or had them lately. */
  readonly links: LinkHolders;
  /** The account that has a value. */
  readonly byExternalId: ReadonlyMap<string, number>;
}

/** `holders`: of the links, where they were read before. */
export async function standingOf(
  deps: LinkDeps,
  owner: Owning,
  bodies: readonly NamedBody[],
  holders?: LinkHolders,
): Promise<Standing> {
  const { reads } = deps;
  const nameOf = await namesByPlan(reads, bodies);
  const [names, links, externalIds] = await Promise.all([
    found(reads, "name", bodies.map(nameOf)),
    holders ??
      linkHolders(
        deps,
        bodies.map(({ subId }) => subId),
      ),
    found(
      reads,
      "external_id",
      bodies.map(({ externalId }) => externalId),
    ),
  ]);
  return {
    nameOf,
    byName: new Map(
      names.map(({ value, id, owned }) => [value, { id: visibleTo(owner, Number(owned)) ? Number(id) : undefined }]),
    ),
    links,
    byExternalId: new Map(externalIds.map(({ value, id }) => [value, Number(id)])),
  };
}

interface FoundRow {
  readonly id: number | string;
  readonly value: string;
  readonly owned: number | string;
}

async function found(
  reads: Reader,
  column: "name" | "external_id",
  values: readonly (string | undefined)[],
): Promise<readonly FoundRow[]> {
  const wanted = [...new Set(values.filter((value) => value !== undefined && value !== ""))];
  if (wanted.length === 0) return [];
  const by = sql.raw(column);
  return reads.query<FoundRow>(
    sql`select id, ${by} as value, admin_id as owned from users where ${by} in (${sql.join(wanted)})`,
  );
}

async function namesByPlan(reads: Reader, bodies: readonly NamedBody[]): Promise<(body: NamedBody) => string> {
  const ids = [...new Set(bodies.map(({ planId = 0 }) => planId).filter((id) => id > 0))];
  const plans =
    ids.length === 0 ? [] : await reads.rows(PlanRows, sql`select * from plans where id in (${sql.join(ids)})`);
  const byId = new Map(plans.map((plan) => [plan.id, plan]));
  return ({ name, planId = 0 }) => {
    const plan = byId.get(planId);
    const wrapped = plan ? UserName.safeParse(`${plan.namePrefix}${name}${plan.nameSuffix}`) : undefined;
    return wrapped?.success ? wrapped.data : name;
  };
}

/**
 * Names, links and references with the accounts that have them: accounts that exist, and those that this change made
 * before.
 */
export class Taken {
  readonly #standing: Standing;
  readonly #names = new Map<string, number>();
  readonly #subIds = new Map<string, number>();
  readonly #externalIds = new Map<string, number>();

  constructor(standing: Standing) {
    this.#standing = standing;
  }

  named(body: NamedBody): { readonly id: number | undefined } | undefined {
    const name = this.#standing.nameOf(body);
    const made = this.#names.get(name);
    return made === undefined ? this.#standing.byName.get(name) : { id: made };
  }

  /** Throws 400 naming the field that another account has. The database would refuse the commit as a whole. */
  refuse({ subId, externalId }: NamedBody, id: number | undefined): void {
    if (subId && (isOther(this.#subIds.get(subId), id) || isOthersLink(this.#standing.links, subId, id)))
      refuseTakenLink();
    if (externalId && isOther(this.#externalIds.get(externalId) ?? this.#standing.byExternalId.get(externalId), id))
      refuseTaken("externalId");
  }

  add(body: NamedBody, id: number): void {
    this.#names.set(this.#standing.nameOf(body), id);
    if (body.subId) this.#subIds.set(body.subId, id);
    if (body.externalId) this.#externalIds.set(body.externalId, id);
  }
}

const isOther = (holder: number | undefined, id: number | undefined) => holder !== undefined && holder !== id;
