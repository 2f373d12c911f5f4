// Waiting for what no promise tells of.
import { expect } from "vitest";

/** `await eventually(look).toBe(…)`: looks again until it holds, at most fifty seconds, on a busy machine. */
export const eventually = <T>(look: () => T) => expect.poll(look, { timeout: 50_000, interval: 5 });
