// What is asked of the traffic's history and what it answers, as it travels.
import { z } from "zod";

/** So many series of their own at most; what others moved is their sum. */
export const MOST_SERIES = 100;

/** By what traffic is told apart. `total`: not at all. */
export const TrafficBy = z.enum(["total", "node", "user", "admin", "inbound"]);
export type TrafficBy = z.infer<typeof TrafficBy>;

export const TrafficStep = z.enum(["hour", "day"]);
export type TrafficStep = z.infer<typeof TrafficStep>;

const Bytes = z.int().nonnegative();
const Moment = z.int();

/**
 * Bytes of an hour or a day that begins at `at`, in Unix seconds. Where nothing is known there is no point; a point
 * with zeros says that nothing moved.
 */
export const TrafficPoint = z.object({ at: Moment, up: Bytes, down: Bytes });
export type TrafficPoint = z.infer<typeof TrafficPoint>;

/** `name`: empty where the record is deleted. `total` has the id 0 and no name. */
export const TrafficSeries = z.object({
  id: z.int(),
  name: z.string(),
  up: Bytes,
  down: Bytes,
  points: z.array(TrafficPoint),
});
export type TrafficSeries = z.infer<typeof TrafficSeries>;

/** Raw bytes, no multiplier. `start` and `end`: the window in whole steps. `series`: the heaviest first. */
export const Traffic = z.object({
  start: Moment,
  end: Moment,
  step: TrafficStep,
  /** Where its days begin. */
  zone: z.string(),
  series: z.array(TrafficSeries),
  /** What is not among the series: of how many, and their bytes. */
  rest: z.object({ count: z.int().nonnegative(), up: Bytes, down: Bytes }),
});
export type Traffic = z.infer<typeof Traffic>;
