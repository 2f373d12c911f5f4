// The kill itself: counts occurrences of the one point that this process was told to die at, and ends it there with
// SIGKILL.
import { appendFileSync } from "node:fs";
import { Fault, type Point } from "../plan.ts";

/** Set: the process waits for its fault on standard input. */
export const HOLD_VARIABLE = "CRASH_HOLD";
/** Carries the fault from a process to its worker threads. */
export const FAULT_VARIABLE = "CRASH_FAULT";

const text = process.env[FAULT_VARIABLE] ?? "";
let fault: Fault | undefined = text === "" ? undefined : Fault.parse(JSON.parse(text));
let seen = 0;

/** Tells this thread, and those that it starts from now on. */
export function arm(told: Fault): void {
  fault = told;
  process.env[FAULT_VARIABLE] = JSON.stringify(told);
}

/** Counts an occurrence; true when it is the one to die at. */
export function due(point: Point): boolean {
  if (fault?.point !== point) return false;
  seen++;
  return seen === fault.occurrence;
}

/** Ends the process as a power cut would. Never returns. */
export function die(): never {
  if (fault) appendFileSync(fault.log, `${fault.point} ${fault.occurrence}\n`);
  process.kill(process.pid, "SIGKILL");
  // The signal is on its way to every thread: this one does nothing more.
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
}

/** Dies here when it is time. */
export function at(point: Point): void {
  if (due(point)) die();
}
