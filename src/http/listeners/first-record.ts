// Looks at the first bytes of a connection and gives them back: whoever gets the connection finds it as it came.
import type { Socket } from "node:net";
import { LONGEST_HELLO, readClientHello, type ClientHello } from "./client-hello.ts";

/** The first bytes may take so long. A slower connection goes on unread: the server has timeouts of its own. */
const PATIENCE_MS = 5000;

/**
 * Calls `then` once, when it is known what the connection is for: with its ClientHello, or with undefined where it does
 * not begin with one that arrives in time. Not called for a connection that ends before.
 */
export function peekHello(
  socket: Socket,
  then: (hello: ClientHello | undefined) => void,
  patience = PATIENCE_MS,
): void {
  let bytes: Buffer = Buffer.alloc(0);
  const end = (): void => {
    clearTimeout(late);
    socket.off("readable", look).off("end", leave).off("error", leave).off("close", end);
  };
  const pass = (hello: ClientHello | undefined): void => {
    end();
    if (socket.destroyed) return;
    if (bytes.length > 0) socket.unshift(bytes);
    then(hello);
  };
  const look = (): void => {
    for (let piece = read(socket); piece; piece = read(socket))
      bytes = bytes.length === 0 ? piece : Buffer.concat([bytes, piece]);
    const found = readClientHello(bytes);
    if (found === "more" && bytes.length < LONGEST_HELLO) return;
    pass(typeof found === "string" ? undefined : found);
  };
  const leave = (): void => {
    end();
    socket.destroy();
  };
  const late = setTimeout(() => pass(undefined), patience);
  socket.on("readable", look).on("end", leave).on("error", leave).on("close", end);
}

function read(socket: Socket): Buffer | undefined {
  return (socket.read() as Buffer | null) ?? undefined;
}
