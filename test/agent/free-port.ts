// A TCP port of loopback that is free now, and that no client is given meanwhile.
import { quietPorts } from "../quiet-ports.ts";

export async function freePort(): Promise<number> {
  const [port = 0] = await quietPorts(1);
  return port;
}
