// The frame decoder: payload survives any cut, any mask, any fragmentation; violations end it.
import { randomBytes, randomInt } from "node:crypto";
import { describe, expect, test } from "vitest";
import {
  FrameDecoder,
  frameHeadLength,
  Opcode,
  writeFrameHead,
} from "../../../src/agent/engines/embedded/transports/ws-frames.ts";

function clientFrame(opcode: number, payload: Buffer, final = true): Buffer {
  const size = frameHeadLength(payload.length);
  const frame = Buffer.alloc(size + 4 + payload.length);
  writeFrameHead(frame, 0, opcode, payload.length);
  if (!final) frame[0] = opcode;
  frame[1] = (frame[1] ?? 0) | 0x80;
  const mask = randomBytes(4);
  mask.copy(frame, size);
  for (let i = 0; i < payload.length; i++) frame[size + 4 + i] = (payload[i] ?? 0) ^ (mask[i & 3] ?? 0);
  return frame;
}

interface Seen {
  payload: Buffer;
  pings: Buffer[];
  closes: (number | undefined)[];
  violations: string[];
}

function decode(chunks: readonly Buffer[]): Seen {
  const parts: Buffer[] = [];
  const seen: Seen = { payload: Buffer.alloc(0), pings: [], closes: [], violations: [] };
  const decoder = new FrameDecoder({
    onPayload: (bytes) => parts.push(Buffer.from(bytes)),
    onPing: (payload) => seen.pings.push(payload),
    onClose: (code) => seen.closes.push(code),
  });
  for (const chunk of chunks) {
    const violation = decoder.feed(Buffer.from(chunk));
    if (violation !== undefined) seen.violations.push(violation);
  }
  seen.payload = Buffer.concat(parts);
  return seen;
}

function cutAtRandom(bytes: Buffer): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    const size = 1 + randomInt(randomInt(2) === 0 ? 9 : 70_000);
    chunks.push(bytes.subarray(at, at + size));
    at += size;
  }
  return chunks;
}

test("payload of every length, cut anywhere", () => {
  for (const size of [0, 1, 2, 3, 4, 5, 124, 125, 126, 127, 65_535, 65_536, 200_001]) {
    const payload = randomBytes(size);
    const frames = Buffer.concat([
      clientFrame(Opcode.binary, payload),
      clientFrame(Opcode.ping, Buffer.from("p")),
      clientFrame(Opcode.binary, payload),
    ]);
    for (let round = 0; round < 20; round++) {
      const seen = decode(cutAtRandom(frames));
      expect(seen.payload.equals(Buffer.concat([payload, payload]))).toBe(true);
      expect(seen.pings).toEqual([Buffer.from("p")]);
      expect(seen.violations).toEqual([]);
    }
  }
});

test("two frames cut at every boundary", () => {
  const payload = randomBytes(150);
  const frames = Buffer.concat([clientFrame(Opcode.binary, payload), clientFrame(Opcode.text, payload)]);
  for (let cut = 0; cut <= frames.length; cut++) {
    expect(
      decode([frames.subarray(0, cut), frames.subarray(cut)]).payload.equals(Buffer.concat([payload, payload])),
      `cut at ${cut}`,
    ).toBe(true);
  }
});

test("fragments with a ping and a pong between them, then a close: nothing is lost, nothing comes after", () => {
  const [a, b] = [randomBytes(5000), randomBytes(3)];
  const frames = [
    clientFrame(Opcode.binary, a, false),
    clientFrame(Opcode.ping, Buffer.from("x")),
    clientFrame(Opcode.pong, Buffer.alloc(0)),
    clientFrame(Opcode.continuation, b),
    clientFrame(Opcode.close, Buffer.from([0x03, 0xe8])),
    clientFrame(Opcode.binary, a),
  ];
  const seen = decode([Buffer.concat(frames)]);
  expect(seen.payload.equals(Buffer.concat([a, b]))).toBe(true);
  expect(seen).toMatchObject({ pings: [Buffer.from("x")], closes: [1000], violations: [] });
});

/** A header with a mask and a little payload. */
function masked(first: number, second: number): Buffer {
  return Buffer.from([first, second | 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
}

describe("violations", () => {
  test.each([
    ["an unmasked frame", Buffer.from([0x82, 0x01, 0x00])],
    ["a reserved bit", masked(0xc2, 1)],
    ["an unknown opcode", masked(0x83, 1)],
    ["a fragmented ping", masked(0x09, 1)],
    ["a long ping", masked(0x89, 126)],
    ["a continuation of nothing", masked(0x80, 1)],
    [
      "a message within a message",
      Buffer.concat([clientFrame(Opcode.binary, randomBytes(3), false), clientFrame(Opcode.binary, randomBytes(3))]),
    ],
    ["a frame of four gigabytes", Buffer.from([0x82, 0xff, 0, 0, 0, 1, 0, 0, 0, 0, 1, 2, 3, 4])],
    ["a frame of a gigabyte", Buffer.from([0x82, 0xff, 0, 0, 0, 0, 0x40, 0, 0, 0, 1, 2, 3, 4])],
  ])("%s", (_name, bytes) => {
    expect(decode([bytes]).violations).toHaveLength(1);
  });
});

test("random bytes never throw and never yield more than came", () => {
  for (let round = 0; round < 3000; round++) {
    const bytes = randomBytes(randomInt(200));
    if (bytes.length > 1 && round % 2 === 0) bytes.set([0x82, 0x80 | randomInt(127)]);
    expect(decode(cutAtRandom(bytes)).payload.length).toBeLessThanOrEqual(bytes.length);
  }
});
