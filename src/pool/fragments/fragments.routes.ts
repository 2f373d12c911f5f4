// The routes of a kind of record of the pool, from its description: list, read, create, change, delete.
import type { z } from "zod";
import { type Draft, lock, type Lock, type Reader } from "../../db/index.ts";
import { idParams, listRoute, notFound, okAnswer, pageOf, route } from "../../http/index.ts";
import type { Caller, Condition, Route, Scope } from "../../http/index.ts";
import { POINTS } from "../points.ts";
import type { PrivateTargets } from "../refused-fragment.ts";
import type { UsedBy } from "../used-by.schema.ts";
import { AskedTooEarly, createFragment, deleteFragment, type Follow, updateFragment } from "./fragments.commands.ts";
import type { Body, Shape, Stored } from "./shape.ts";
import { type FragmentReader, readerOf, recordOf } from "./views.ts";

type Awaitable<T> = T | Promise<T>;

/** What the description of the API says of a route, and what the route needs beside its scope. */
type Said = Pick<Route, "summary" | "description" | "statuses" | "codes" | "also">;

/** A create or a change. `S`: a row with what its ids name. */
interface WriteSaid<R, S> extends Said {
  /** Whether it leads customers elsewhere than before: that needs more than the scope (rules admins.point). */
  readonly leads?: (before: Readonly<R> | undefined, after: S) => boolean;
}

/**
 * A kind of record. `R`: row, `W`: its fields that a body writes, `S`: a row with what its ids name, `V`: how it is
 * answered, `C`, `U` and `F`: bodies of a create and a change, and filters.
 */
export interface FragmentKind<
  R extends Stored & W,
  W extends object,
  S,
  V extends object,
  C extends U,
  U extends Body<W>,
  F,
> {
  readonly shape: Shape<R, W, U>;
  /** Its path, and the key of its audit records. */
  readonly collection: string;
  readonly scopes: { readonly read: Scope; readonly write: Scope };
  readonly create: WriteSaid<R, S> & { readonly body: z.ZodType<C> };
  readonly update: WriteSaid<R, S> & { readonly body: z.ZodType<U> };
  readonly remove: Said;
  readonly one: Said & { readonly answer: z.ZodType<unknown, V & { usedBy: UsedBy }> };
  readonly list: Said & {
    readonly item: z.ZodType<unknown, V>;
    readonly columns: { readonly q: readonly string[]; readonly sorts: Readonly<Record<string, string>> };
    readonly filters: z.ZodType<F>;
    readonly where: (filters: F) => readonly Condition[];
  };
  /** Rows with what their ids name, as a read and as a commit finds it. */
  readonly wholes: (rows: readonly R[]) => Awaitable<readonly S[]>;
  readonly whole: (draft: Draft, row: Readonly<R>) => S;
  readonly view: (whole: S, reader: FragmentReader) => V;
  readonly usedBy: (caller: Caller, row: R) => Promise<UsedBy>;
  /** Reads what a write depends on in other rooms; what it returns is part of the commit. */
  readonly follow?: (body: U, id: number | undefined) => Awaitable<Follow<R, W>>;
  /** The same for a deletion. */
  readonly leave: (id: number) => Awaitable<Leaving<R>>;
  /** After a deletion, before it is answered. */
  readonly left?: () => Promise<void>;
}

/** What a deletion does in other records. */
export interface Leaving<R> {
  /**
   * Rows that it reads beside the record. With their locks the deletion is decided once; the committer would find what
   * is missing here by deciding a second time.
   */
  readonly locks?: readonly Lock[];
  /** Throws for a record that is in use, and takes it out of the records that name it. May throw `AskedTooEarly`. */
  readonly leave: (draft: Draft, row: Readonly<R>) => void;
}

const TIERS = ["sudo", "admin"] as const;

export interface FragmentRoutesDeps {
  readonly reads: Reader;
  readonly privateTargets: PrivateTargets;
}

/** The five routes of a kind. */
export function fragmentRoutes<
  R extends Stored & W,
  W extends object,
  S,
  V extends object,
  C extends U,
  U extends Body<W>,
  F,
>({ reads, privateTargets }: FragmentRoutesDeps, kind: FragmentKind<R, W, S, V, C, U, F>): Route[] {
  const { shape, collection, scopes, whole, wholes, view, follow = () => () => undefined } = kind;
  const { rows, noun } = shape;
  const reading = { scope: scopes.read, tiers: TIERS };
  const writing = { scope: scopes.write, tiers: TIERS };
  const all = `/${collection}` as const;
  const each = `/${collection}/{id}` as const;
  const audited = (action: "create" | "update" | "delete") => ({ key: collection, action });
  const extra = ({ leads }: WriteSaid<R, S>) => leads && { extra: POINTS };
  /** What a write answers and records. */
  const decision = (
    draft: Draft,
    { caller, requireExtra }: { readonly caller: Caller; readonly requireExtra: () => void },
    { leads }: WriteSaid<R, S>,
    { before, after }: { readonly before?: Readonly<R>; readonly after: Readonly<R> },
  ) => {
    const written = whole(draft, after);
    if (leads?.(before, written) === true) requireExtra();
    return {
      answer: view(written, readerOf(caller, privateTargets)),
      audit: { entityId: after.id, ...(before && { before: recordOf(shape, before) }), after: recordOf(shape, after) },
    };
  };
  const { item, columns, filters, where, ...listed } = kind.list;
  const { answer: record, ...shown } = kind.one;
  const { body: created, leads: _created, ...creating } = kind.create;
  const { body: updated, leads: _updated, ...updating } = kind.update;
  return [
    listRoute({
      ...listed,
      ...reading,
      path: all,
      item,
      list: { ...columns, updatedAt: "updated_at", order: "id" },
      query: filters,
      handle: async ({ list, query, caller }) => {
        const page = await pageOf(reads, rows, list, { where: where(query) });
        const reader = readerOf(caller, privateTargets);
        return { rows: (await wholes(page.rows)).map((row) => view(row, reader)), total: page.total };
      },
    }),
    route({
      ...shown,
      ...reading,
      method: "GET",
      path: each,
      params: idParams,
      answer: record,
      statuses: [404],
      handle: async ({ params: { id }, caller }) => {
        const row = (await reads.find(rows, id)) ?? notFound(noun, id);
        const [found = notFound(noun, id)] = await wholes([row]);
        return { ...view(found, readerOf(caller, privateTargets)), usedBy: await kind.usedBy(caller, row) };
      },
    }),
    route({
      ...creating,
      ...writing,
      ...extra(kind.create),
      method: "POST",
      path: all,
      body: created,
      answer: item,
      audit: audited("create"),
      handle: async (context) => {
        const { body, commit } = context;
        const follows = await follow(body, undefined);
        return commit({
          locks: [],
          decide(draft) {
            const after = createFragment(draft, shape, { privateTargets, follow: follows }, body);
            return decision(draft, context, kind.create, { after });
          },
        });
      },
    }),
    route({
      ...updating,
      ...writing,
      ...extra(kind.update),
      method: "PUT",
      path: each,
      params: idParams,
      body: updated,
      answer: item,
      audit: audited("update"),
      handle: async (context) => {
        const { params, body, caller, commit } = context;
        const follows = await follow(body, params.id);
        return commit({
          locks: [lock(rows, params.id)],
          decide(draft) {
            const current = (row: Readonly<R>) => view(whole(draft, row), readerOf(caller, privateTargets));
            const written = { privateTargets, follow: follows };
            const changed = updateFragment(draft, shape, written, params.id, body, current);
            return decision(draft, context, kind.update, changed);
          },
        });
      },
    }),
    route({
      ...kind.remove,
      ...writing,
      method: "DELETE",
      path: each,
      params: idParams,
      answer: okAnswer,
      audit: audited("delete"),
      handle: async ({ params: { id }, commit }) => {
        const remove = async (): Promise<Awaited<ReturnType<typeof commit>>> => {
          const { locks = [], leave } = await kind.leave(id);
          try {
            return await commit({
              locks: [lock(rows, id), ...locks],
              decide(draft) {
                const before = recordOf(shape, deleteFragment(draft, shape, id, leave));
                return { answer: { ok: true as const }, audit: { entityId: id, before } };
              },
            });
          } catch (error) {
            if (error instanceof AskedTooEarly) return remove();
            throw error;
          }
        };
        const answer = await remove();
        await kind.left?.();
        return answer;
      },
    }),
  ];
}
