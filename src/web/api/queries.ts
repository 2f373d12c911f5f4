// Reading and changing through TanStack Query: a query's key is its path and parameters, so components with the same
// request share the answer.
import {
  keepPreviousData,
  replaceEqualDeep,
  useMutation,
  useQueries,
  useQuery,
  useQueryClient,
  type UseMutationResult,
  type UseQueryResult,
} from "@tanstack/react-query";
import { useRef } from "react";
import { call, newKey, type ApiError, type Method, type QueryValue } from "./call.ts";

/** The answer of a list route under `/api/v1`. */
export interface Listing<T> {
  readonly items: readonly T[];
  readonly total: number;
}

export interface ReadOptions<T> {
  readonly enabled?: boolean;
  readonly refetchInterval?: number;
  /** Whether an answer that came in says less than what is known already, by the stream for one: it is dropped then. */
  readonly outdated?: (known: T, answer: T) => boolean;
}

/** Reads `GET path`. While other parameters load, the last answer stays (`isPlaceholderData`). */
export function useApi<T>(
  path: string,
  query: Readonly<Record<string, QueryValue>> = {},
  options: ReadOptions<T> = {},
): UseQueryResult<T, ApiError> {
  const { outdated } = options;
  return useQuery<T, ApiError>({
    queryKey: [path, query],
    queryFn: ({ signal }) => call<T>("GET", path, { query, signal }),
    placeholderData: keepPreviousData,
    enabled: options.enabled ?? true,
    refetchInterval: options.refetchInterval ?? false,
    // Everything that is kept under this key is an answer of this path.
    ...(outdated
      ? {
          structuralSharing: (known, answer) =>
            known && outdated(known as T, answer as T) ? known : replaceEqualDeep(known, answer),
        }
      : {}),
  });
}

/** One answer of several. */
interface Read {
  readonly path: string;
  readonly query: Readonly<Record<string, QueryValue>>;
  readonly enabled: boolean;
}

/** Reads several answers at once, each under the key that `useApi` has for it; undefined each until it is there. */
export function useAnswers(reads: readonly Read[]): readonly unknown[] {
  return useQueries({
    queries: reads.map(({ path, query, enabled }) => ({
      queryKey: [path, query],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) => call<unknown>("GET", path, { query, signal }),
      enabled,
    })),
    combine: dataOf,
  });
}

function dataOf(results: readonly UseQueryResult[]): readonly unknown[] {
  return results.map(({ data }) => data);
}

/** One change, as a call. */
export interface Change {
  readonly method: Exclude<Method, "GET">;
  readonly path: string;
  readonly body?: unknown;
  readonly query?: Readonly<Record<string, QueryValue>>;
}

/**
 * Changes something: `const save = useApiMutation<User, Patch>((body) => ({ method: "PATCH", path: `/users/${id}`, body
 * }), { refreshes: ["/users"] })`, then `save.mutate(patch)`. A try after an unreached panel goes out under the key of
 * the first, so that it happens once. Resolves after what `refreshes` names (paths of queries) was marked old.
 */
export function useApiMutation<T, V = void>(
  change: (variables: V) => Change,
  options: { readonly refreshes?: readonly string[]; readonly onDone?: (answer: T, variables: V) => void } = {},
): UseMutationResult<T, ApiError, V> {
  const queries = useQueryClient();
  const unsettled = useRef<{ readonly request: string; readonly key: string } | undefined>(undefined);
  return useMutation<T, ApiError, V>({
    mutationFn: async (variables) => {
      const { method, path, body, query } = change(variables);
      const request = JSON.stringify([method, path, query, body]);
      const key = unsettled.current?.request === request ? unsettled.current.key : newKey();
      unsettled.current = { request, key };
      const answer = await call<T>(method, path, {
        idempotencyKey: key,
        ...(body === undefined ? {} : { body }),
        ...(query === undefined ? {} : { query }),
      });
      unsettled.current = undefined;
      return answer;
    },
    // Whatever the panel answered was an end; where it was not reached the outcome is unknown.
    onError: ({ status }) => {
      if (status !== 0) unsettled.current = undefined;
    },
    onSuccess: (answer, variables) => {
      for (const path of options.refreshes ?? []) void queries.invalidateQueries({ queryKey: [path] });
      options.onDone?.(answer, variables);
    },
  });
}
