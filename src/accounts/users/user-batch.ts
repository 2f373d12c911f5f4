// Many accounts by one request (rule users.create.6): each is created or refused on its own, and all of them, the
// answer and the one audit record are one transaction. A panel that is killed has made all of them or none.
import { NeedLocks, UniqueConflict, type Draft, type Lock, type Reader } from "../../db/index.ts";
import { check, Refusal, type Context } from "../../http/index.ts";
import { credentialLocks, holdersNow, REFUSAL_COST } from "../credentials/credential-holders.ts";
import { namesOf, type Credential } from "../credentials/credential-keys.ts";
import type { CredentialEntry } from "../credentials/credential-entry.ts";
import { freshSecrets, type FreshSecrets } from "../credentials/credentials.ts";
import { askedBy } from "../links/sub-url.ts";
import { isOthersLink, linkLocks, type LinkDeps } from "../links/link-holders.ts";
import { seenAfter } from "./seen.queries.ts";
import { refuseTaken, standingOf, Taken, type Standing } from "./taken.ts";
import type { UserState, UserWriter, Writing } from "./user-change.ts";
import { createUser } from "./users.commands.ts";
import { userView, type ViewDeps } from "./users.queries.ts";
import { UserCreate, type UserBatchOutcome, type UserCreateBody } from "./users.schema.ts";

export interface BatchDeps extends UserWriter, ViewDeps, LinkDeps {
  readonly reads: Reader;
  readonly credentialEntry: Pick<CredentialEntry, "unentered">;
}

/** What the request's context gives. */
type Asked = Pick<
  Context<unknown, unknown, { users: readonly unknown[] }, UserBatchOutcome>,
  "body" | "caller" | "origin" | "request" | "commit" | "requirePaid" | "requireSolvent"
>;

/** Somebody else may take a name between the reading and the commit, which is then decided again. */
const TRIES = 5;

/** A body with what is drawn for its account, or why it is refused. */
type Item = { readonly body: UserCreateBody; readonly fresh: FreshSecrets } | string;

export async function batchOf(deps: BatchDeps, asked: Asked) {
  const { body, caller, origin, request, commit, requirePaid, requireSolvent } = asked;
  const place = askedBy(deps, request);
  const read = body.users.map((raw): Item => {
    const { data, refusal } = check(UserCreate, raw);
    return refusal ? refusal.message : { body: data, fresh: freshSecrets() };
  });
  const chosenIn = (item: Item) => (typeof item === "string" ? [] : deps.credentialKeys.of(item.body.config));
  let standing = await standingOf(deps, caller, bodiesOf(read));
  const named = read.map((item): Item => {
    const isTaken = typeof item !== "string" && standing.byName.has(standing.nameOf(item.body));
    return isTaken ? taken("name") : item;
  });
  const linkOf = (item: Item) => (typeof item === "string" ? undefined : item.body.subId);
  if (named.some((item) => chosenIn(item).length > 0 || linkOf(item) !== undefined)) requireSolvent(REFUSAL_COST);
  const held = await heldCredentials(deps, named.flatMap(chosenIn));
  // A caller that is told of other accounts' credentials and links pays before anything is created.
  const items = named.map((item): Item => {
    const other = chosenIn(item).find((one) => namesOf(one).some((id) => held.has(id)));
    if (other !== undefined) return taken(other.field);
    const link = linkOf(item);
    return link !== undefined && isOthersLink(standing.links, link, undefined) ? taken("subId") : item;
  });
  await requirePaid(REFUSAL_COST * items.filter((item, at) => item !== named[at]).length);
  const locks = [...credentialLocks(items.flatMap(chosenIn)), ...linkLocks(items.map(linkOf))];
  // What accounts hold that are not entered yet was looked for above.
  const acting = { caller, origin, unentered: new Set<string>() };
  const attempt = () =>
    commit({
      locks,
      decide(draft) {
        const answer: UserBatchOutcome = { created: [], problems: [] };
        for (const [index, outcome] of createAll(
          draft,
          deps,
          { ...acting, links: standing.links },
          items,
          standing,
        ).entries()) {
          if (typeof outcome === "string") answer.problems.push({ index, error: outcome });
          else answer.created.push(userView(outcome, seenAfter(undefined, outcome, acting), place));
        }
        const ids = answer.created.map(({ id }) => id);
        return { answer, audit: { entityId: "", obj: { created: ids.length, ids } } };
      },
    });
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof UniqueConflict) || tries === TRIES) throw error;
    }
    standing = await standingOf(deps, caller, bodiesOf(items));
  }
}

const taken = (field: string) => `${field}: the value is taken`;

function bodiesOf(items: readonly Item[]): UserCreateBody[] {
  return items.flatMap((item) => (typeof item === "string" ? [] : [item.body]));
}

/** The accounts, and why those that are none were refused, in order. */
function createAll(
  draft: Draft,
  writer: UserWriter,
  acting: Writing,
  items: readonly Item[],
  standing: Standing,
): readonly (UserState | string)[] {
  const known = new Taken(standing);
  const wanted: Lock[] = [];
  const outcomes = items.map((item): UserState | string => {
    if (typeof item === "string") return item;
    const { body, fresh } = item;
    try {
      if (known.named(body)) refuseTaken("name");
      known.refuse(body, undefined);
      const created = draft.attempt((part) => createUser(part, writer, acting, body, fresh));
      known.add(body, created.row.id);
      return created;
    } catch (error) {
      if (error instanceof NeedLocks) wanted.push(...error.locks);
      else if (!(error instanceof Refusal) || error.status >= 500) throw error;
      return error.message;
    }
  });
  if (wanted.length > 0) throw new NeedLocks(wanted);
  return outcomes;
}

/** Ids of those that other accounts hold, entered or not yet. */
async function heldCredentials(
  { reads, credentialEntry }: BatchDeps,
  chosen: readonly Credential[],
): Promise<ReadonlySet<string>> {
  if (chosen.length === 0) return new Set();
  const [entered, unentered] = await Promise.all([
    holdersNow(reads, chosen.flatMap(namesOf)),
    credentialEntry.unentered(chosen),
  ]);
  return new Set([...entered.keys(), ...unentered]);
}
