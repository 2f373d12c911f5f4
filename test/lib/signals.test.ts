// The port for watching: who hears what, and that nobody who listens can harm who tells.
import { expect, test } from "vitest";
import { Signals } from "../../src/lib/signals.ts";

const FAULT = { kind: "job", quarantined: false };

test("unheard, no time is read and nothing is told", () => {
  let looks = 0;
  const signals = new Signals({ now: () => ++looks });
  const commands = signals.of("runtime.command");
  expect([commands.heard, commands.begun(), looks]).toEqual([false, undefined, 0]);
  const stop = signals.listen("runtime.command", () => {});
  expect([commands.heard, commands.begun(), commands.since(1)]).toEqual([true, 1, 1]);
  stop();
  expect([commands.heard, commands.begun()]).toEqual([false, undefined]);
});

test("every listener hears every signal of its name, in order, until it stops", () => {
  const signals = new Signals();
  const heard: string[] = [];
  const stop = signals.listen("runtime.fault", ({ kind }) => {
    heard.push(`one ${kind}`);
    stop();
  });
  signals.listen("runtime.fault", ({ kind }) => heard.push(`two ${kind}`));
  signals.listen("runtime.command", () => heard.push("another name"));
  const faults = signals.of("runtime.fault");
  faults.tell(FAULT);
  faults.tell({ ...FAULT, kind: "node" });
  expect(heard).toEqual(["one job", "two job", "two node"]);
});

test("a listener that throws is said once; the others and the part go on", () => {
  const said: string[] = [];
  const signals = new Signals({ onError: (error, name) => said.push(`${name}: ${String(error)}`) });
  let heard = 0;
  signals.listen("runtime.fault", () => {
    throw new Error("a defect");
  });
  signals.listen("runtime.fault", () => heard++);
  for (let turn = 0; turn < 3; turn++) signals.of("runtime.fault").tell(FAULT);
  expect(heard).toBe(3);
  expect(said).toEqual(["runtime.fault: Error: a defect"]);
});

test("two panels in a process do not hear each other", () => {
  const [one, other] = [new Signals(), new Signals()];
  let heard = 0;
  one.listen("runtime.fault", () => heard++);
  other.of("runtime.fault").tell(FAULT);
  expect(heard).toBe(0);
});
