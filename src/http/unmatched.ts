// Requests that match no route: which are told 404, which 405, which get nothing at all. They are
// answered before their body is read, whatever it is, and count like all others of their token. What is outside a base
// path was answered before (outside.ts).
import type { FastifyReply, FastifyRequest } from "fastify";
import { budgetHeaders, nothingHere } from "./answers/replies.ts";
import type { RequestFacts } from "./context.ts";
import { knownCaller, useBudget, type GateDeps } from "./gate.ts";
import type { HttpOptions } from "./ports.ts";
import { Refusal } from "./refusals/errors.ts";
import { credentialOf, factsOf, hostOf } from "./request/facts.ts";
import type { PathTable } from "./request/paths.ts";

interface UnmatchedDeps {
  readonly options: HttpOptions;
  readonly gate: GateDeps;
  readonly table: PathTable;
}

export class Unmatched {
  readonly #deps: UnmatchedDeps;

  constructor(deps: UnmatchedDeps) {
    this.#deps = deps;
  }

  /** Below the API: 404, or 405 with the methods of the path. Elsewhere: an empty 404. */
  async answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { basePath, servesPanel } = this.#deps.options;
    const path = (request.raw.url ?? "").split("?")[0] ?? "";
    const prefix = [`${basePath}/api/v1`, `${basePath}/api`].find(
      (each) => path === each || path.startsWith(`${each}/`),
    );
    if (servesPanel?.(hostOf(request)) === false || prefix === undefined) return nothingHere(request, reply);
    const facts = factsOf(request, { basePath, prefix: prefix === `${basePath}/api` ? "/api" : "/api/v1" });
    await this.#admit(facts, request, reply);
    const methods = this.#deps.table.methodsOf(path.slice(prefix.length));
    if (methods.length === 0) throw new Refusal("not_found");
    reply.header("allow", methods.join(", "));
    throw new Refusal("method_not_allowed");
  }

  /** 404 for a path that the router matched and that names nothing. */
  async refuse(facts: RequestFacts, request: FastifyRequest, reply: FastifyReply): Promise<never> {
    await this.#admit(facts, request, reply);
    throw new Refusal("not_found");
  }

  async #admit(facts: RequestFacts, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { gate } = this.#deps;
    await gate.ports.admitDuringSetup(setupTokenOf(request.query), request.ip);
    const caller = await knownCaller(credentialOf(facts), facts, gate);
    if (caller) await useBudget(caller, gate, (budget) => budgetHeaders(reply, budget));
  }
}

/** A parameter that no record is called by: nothing (`/users/` matches `/users/{id}`), or one with a NUL. */
export function hasVoidParameter(params: unknown, route?: { readonly refusesNul?: true }): boolean {
  if (typeof params !== "object" || params === null) return false;
  const isVoid = (text: string) => text === "" || (route?.refusesNul !== true && text.includes("\u0000"));
  return Object.values(params).some((value) => typeof value === "string" && isVoid(value));
}

/** The token of the setup's address, in the query of any request. */
export function setupTokenOf(query: unknown): string | undefined {
  const token = typeof query === "object" && query !== null && "t" in query ? query.t : undefined;
  return typeof token === "string" ? token : undefined;
}
