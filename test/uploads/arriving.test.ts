// A body that comes slowly.
import { PassThrough } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { arriving } from "../../src/uploads/arriving.ts";

async function read(stream: PassThrough, patience: Parameters<typeof arriving>[1], each?: () => Promise<void>) {
  const chunks: string[] = [];
  for await (const chunk of arriving(stream, patience)) {
    chunks.push(Buffer.from(chunk).toString());
    await each?.();
  }
  return chunks.join("");
}

// rule jobs.import.8
test("one of which nothing comes for too long is refused, and so is one that drips", async () => {
  const silent = new PassThrough();
  silent.write("a");
  await expect(read(silent, { idleMs: 20, graceMs: 60_000, bytesPerMs: 1 })).rejects.toMatchObject({ status: 408 });
  const dripping = new PassThrough();
  const drips = setInterval(() => dripping.write("a"), 5);
  await expect(read(dripping, { idleMs: 60_000, graceMs: 100, bytesPerMs: 1 })).rejects.toMatchObject({ status: 408 });
  clearInterval(drips);
});

test("what is worked on for long is not refused for it, and what came is whole", async () => {
  const slow = new PassThrough();
  for (const letter of "abcdef") slow.write(letter);
  slow.end();
  expect(await read(slow, { idleMs: 2000, graceMs: 2000, bytesPerMs: 1 }, () => pause(10))).toBe("abcdef");
  const broken = new PassThrough();
  broken.write("a");
  setImmediate(() => broken.destroy(new Error("the sender left")));
  await expect(read(broken, undefined)).rejects.toThrow("the sender left");
});
