// `clientConfig` of an inbound (rule pool.inbound.5): what clients are told instead of what the node is told. Never
// sent to nodes.
import { z } from "zod";
import { Port, Texts } from "./fields.ts";
import { isFragment, type Issue, issuesOf, notAnObject, withForbidden } from "./issue.ts";

/**
 * A sing-box client `tls` block. Keys that only sing-box knows are kept and reach only that format; which there are is
 * the list of `clientTls`.
 */
const ClientTls = z.looseObject({
  server_name: z.string().optional(),
  insecure: z.boolean().optional(),
  alpn: Texts.optional(),
  utls: z.looseObject({ enabled: z.boolean().default(true), fingerprint: z.string().default("chrome") }).optional(),
  reality: z
    .looseObject({
      public_key: z.string().optional(),
      short_id: z.string().optional(),
      spider_x: z.string().optional(),
    })
    .optional(),
});
export type ClientTls = z.infer<typeof ClientTls>;

export const ClientConfig = z.strictObject({
  server: z.string().optional(),
  server_port: Port.optional(),
  tls: ClientTls.optional(),
});
export type ClientConfig = z.infer<typeof ClientConfig>;

export type ClientResult =
  | { readonly ok: true; readonly client: ClientConfig }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** Checks a `clientConfig`; null and absent are the empty one. Paths in `issues` are relative to it. */
export function parseClientConfig(config: unknown): ClientResult {
  const parsed = ClientConfig.safeParse(config ?? {});
  const issues = withForbidden("clientConfig", "", config, parsed.success ? [] : issuesOf(parsed.error, config));
  return parsed.success && issues.length === 0 ? { ok: true, client: parsed.data } : { ok: false, issues };
}

/** Checks the `client` template of a certificate: a client `tls` block alone. */
export function parseClientTls(
  template: unknown,
): { readonly ok: true; readonly tls: ClientTls } | { readonly ok: false; readonly issues: readonly Issue[] } {
  if (template !== undefined && template !== null && !isFragment(template))
    return { ok: false, issues: [{ path: "", ...notAnObject }] };
  const parsed = ClientTls.safeParse(template ?? {});
  const issues = withForbidden("clientTls", "", template, parsed.success ? [] : issuesOf(parsed.error, template));
  return parsed.success && issues.length === 0 ? { ok: true, tls: parsed.data } : { ok: false, issues };
}
