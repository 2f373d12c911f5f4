// A client of a VLESS inbound over plain TCP, for a namespace of its own: asks the target for a drip, or for nothing,
// and says how many bytes came and when the connection is gone. Connects again whenever it is put out.
// Arguments: host, port, uuid, port of the target on 127.0.0.1, `drip` or `idle`.
import { connect } from "node:net";

const [host = "", port = "", uuid = "", target = "", what = ""] = process.argv.slice(2);
const AGAIN_MS = 500;
/** `send 1 after 0` answers one byte and nothing more: the connection is open and idle from then on. */
const WORDS = { drip: "drip\n", idle: "send 1 after 0\n" };

function open(): void {
  let bytes = 0;
  const began = Date.now();
  const socket = connect(Number(port), host, () => {
    const head = Buffer.concat([
      Buffer.from([0]),
      Buffer.from(uuid.replaceAll("-", ""), "hex"),
      Buffer.from([0, 1, Number(target) >> 8, Number(target) & 255, 1, 127, 0, 0, 1]),
    ]);
    socket.write(Buffer.concat([head, Buffer.from(what === "drip" ? WORDS.drip : WORDS.idle)]));
  });
  const tell = setInterval(() => console.log(`open ${bytes} ${Date.now() - began}`), 200);
  socket.on("data", (chunk) => (bytes += chunk.length));
  socket.on("error", () => undefined);
  socket.on("close", () => {
    clearInterval(tell);
    console.log(`closed ${bytes} ${Date.now() - began}`);
    setTimeout(open, AGAIN_MS);
  });
}

open();
