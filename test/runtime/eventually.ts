// Waiting for what no promise tells of.
import { expect } from "vitest";

/** `await eventually(look).toBe(…)`: looks again until it holds, at most ten seconds. */
export const eventually = <T>(look: () => T) => expect.poll(look, { timeout: 10_000, interval: 5 });
