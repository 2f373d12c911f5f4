// Configurations for programs of one protocol, on the wire.
import { z } from "zod";
import { count } from "../../http/index.ts";

/** Protocols whose own program takes a configuration. */
export const APP_PROTOCOLS = ["hysteria2", "tuic"] as const;
export type AppProtocol = (typeof APP_PROTOCOLS)[number];

export const UserAppConfig = z
  .object({
    nodeId: count,
    node: z.string(),
    inbound: z.string(),
    protocol: z.enum(APP_PROTOCOLS),
    name: z.string(),
    config: z.record(z.string(), z.unknown()),
  })
  .meta({ id: "UserAppConfig" });
export type UserAppConfig = z.output<typeof UserAppConfig>;
