// The wire form of a node's health.
import { z } from "zod";
import { count } from "../http/index.ts";

export const HealthState = z.enum(["up", "down", "partial", "unknown"]);
export type HealthState = z.output<typeof HealthState>;

/** What was seen of a node in one step; null: the node did not say it. */
export const HealthPoint = z
  .object({
    at: count,
    up: z.number().min(0).max(1),
    cpuPercent: z.number().nullable(),
    load1: z.number().nullable(),
    memoryUsed: count.nullable(),
    memoryTotal: count.nullable(),
    diskUsed: count.nullable(),
    diskTotal: count.nullable(),
    online: count.nullable(),
    upRate: count.nullable(),
    downRate: count.nullable(),
  })
  .meta({ id: "NodeHealthPoint" });
export type HealthPoint = z.output<typeof HealthPoint>;

export const NodeHealth = z
  .object({
    start: count,
    end: count,
    step: count,
    uptimePercent: z.number().min(0).max(100).nullable(),
    points: z.array(HealthPoint),
    bar: z.array(z.object({ start: count, end: count, state: HealthState }).meta({ id: "NodeHealthBar" })),
  })
  .meta({ id: "NodeHealth" });
export type NodeHealth = z.output<typeof NodeHealth>;
