// What PostgreSQL and its driver say when something fails, in the words of `errors.ts`.
import {
  ExpectationFailed,
  StoreContention,
  StoreDamaged,
  StoreUnavailable,
  UniqueConflict,
  ValueUnfit,
} from "../errors.ts";
import type { Tables } from "../table.ts";
import { isForgotten } from "./prepared.ts";

/** The SQLSTATE, or the name of a socket's error. */
export function codeOf(error: unknown): string | undefined {
  return typeof error === "object" && error !== null && "code" in error && typeof error.code === "string"
    ? error.code
    : undefined;
}

/**
 * The server or the connection ended, or nobody answers: an SQLSTATE that says so, a socket error (ECONNRESET …), or
 * the driver's own words, which carry no code.
 */
export function isConnectionLoss(error: unknown): boolean {
  const code = codeOf(error);
  if (code !== undefined) return /^(08|57P|25P03)/.test(code) || /^E[A-Z]+$/.test(code);
  return error instanceof Error && /connection|timeout exceeded|read timeout/i.test(error.message);
}

/**
 * The server answers and cannot: no room, memory or connections left (53), a failing disk (58), or read-only (25006: a
 * standby, or set so by its keeper).
 */
function isIncapable(error: unknown): boolean {
  return /^(53|58|25006)/.test(codeOf(error) ?? "");
}

/** A driver's error as callers of the store know it. */
export function failureOf(error: unknown, tables: Tables): Error {
  if (error instanceof ExpectationFailed || error instanceof StoreUnavailable) return error;
  const code = codeOf(error);
  if (code === "23505") return conflictOf(error, tables);
  if (code === "40P01" || code === "40001" || code === "55P03" || isForgotten(error))
    return new StoreContention("the database gave way", { cause: error });
  if (isConnectionLoss(error)) return new StoreUnavailable("the database does not answer", { cause: error });
  if (isIncapable(error))
    return new StoreUnavailable(`the database cannot do it: ${messageOf(error)}`, { cause: error });
  if (code?.startsWith("22")) return new ValueUnfit(messageOf(error), { cause: error });
  if (/^XX00[12]/.test(code ?? "")) {
    return new StoreDamaged(`the database is damaged: ${messageOf(error)}; restore it from a backup`, { cause: error });
  }
  return error instanceof Error ? error : new Error(String(error));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function conflictOf(error: unknown, tables: Tables): UniqueConflict {
  const { table = "", detail = "" } = error as { table?: string; detail?: string };
  const names = /^Key \(([^)]*)\)=/.exec(detail)?.[1]?.split(", ") ?? [];
  const known = table === "" ? undefined : tables.named(table);
  const properties = names.map((name) => known?.columns.find((column) => column.name === name)?.property ?? name);
  return new UniqueConflict(table, properties, { cause: error });
}
