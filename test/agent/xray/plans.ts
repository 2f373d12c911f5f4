// Plans that use all of what Xray serves, and what they come to.
import { tmpdir } from "node:os";
import { join } from "node:path";
import { engineTags, type Json } from "../../../src/agent/engines/process/dialect.ts";
import { xrayDialect } from "../../../src/agent/engines/xray/dialect.ts";
import type { PlanObject, PlanUser } from "../../../src/protocol/plan.ts";
import { fixedPair, goldenText } from "../engines/fixed-pair.ts";
import { structure, user, users } from "../engines/rig.ts";
import { sentences } from "../sentences.ts";

export const dialect = xrayDialect("26.7.28");

/** A configuration with placeholder keys made equal, so that it can be compared. */
export function compiled(
  objects: PlanObject[],
  people: PlanUser[] = [user(7)],
  privateTargets: "block" | "allow" = "block",
) {
  const everybody = users(...people);
  const screening = dialect.screen(everybody);
  const plan = dialect.compile(structure(...objects), { privateTargets, apiPorts: [] });
  const populated = plan.inbounds.flatMap((one) => dialect.populate(one, everybody, screening) ?? []);
  const inbounds = populated.map((one) =>
    dialect.inboundConfig(one, {
      tag: engineTags(one.inbound.id)[0],
      listen: one.inbound.listen,
      port: one.inbound.port,
    }),
  );
  const config = dialect.config(plan, inbounds, { grpc: "unix:/run/x.sock", ports: [] });
  return {
    plan,
    config,
    populated,
    warnings: sentences([...plan.warnings, ...dialect.populationWarnings(plan, everybody), ...screening.warnings]),
  };
}

/** `config` as text, with the random key of placeholder users blanked. */
export function golden(value: unknown): string {
  return goldenText(value).replace(/"password": "[^"]*",(\s+"email": "signalbox.placeholder")/g, '"password": "",$1');
}

/** The same configuration with an interface elsewhere, as `xray run -test` wants it. */
export function checkable(config: Json): Json {
  return { ...config, api: { ...(config["api"] as Json), listen: join(tmpdir(), "signalbox-check.sock") } };
}

export const out = (tag: string, type: string, config: Record<string, unknown> = {}): PlanObject => ({
  kind: "outbound",
  tag,
  type,
  config,
});
export const route = (value: Record<string, unknown>): PlanObject => ({ kind: "route", route: value });
export const core = (value: Record<string, unknown>): PlanObject => ({ kind: "core", core: value });
export const pem = { enabled: true, ...fixedPair, server_name: "w.test" };
export const reality = {
  enabled: true,
  server_name: "w.test",
  reality: {
    enabled: true,
    handshake: { server: "w.test", server_port: 443 },
    private_key: "UuMBgl7MXTPx9inmQp2UC7Jcnwc6XYbwDNebonM-FCc",
    short_id: ["0123456789abcdef"],
    max_time_difference: "1m",
  },
};
export const keys = { 16: Buffer.alloc(16, 1).toString("base64"), 32: Buffer.alloc(32, 1).toString("base64") };
