// A socket as lines of JSON, none longer than allowed: a peer that sends a longer one loses its connection.
import type { Socket } from "node:net";
import { LINE_BYTES } from "./verbs.ts";

/** A line that `take` throws for ends the connection too. */
export function onLines(socket: Socket, take: (line: string) => void): void {
  let parts: Buffer[] = [];
  let length = 0;
  socket.on("data", (chunk: Buffer) => {
    let rest = chunk;
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      const line = Buffer.concat([...parts, rest.subarray(0, end)]).toString("utf8");
      parts = [];
      length = 0;
      rest = rest.subarray(end + 1);
      try {
        take(line);
      } catch (error) {
        socket.destroy(error instanceof Error ? error : new Error(String(error)));
        return;
      }
    }
    length += rest.length;
    if (length > LINE_BYTES) socket.destroy(new Error(`a line is longer than ${LINE_BYTES} bytes`));
    else if (rest.length > 0) parts.push(rest);
  });
}
