// Why an address cannot be listened on, said so that an operator knows what to do.
import { hasCode } from "./durable-file.ts";

/** A sentence for an error of `listen`. */
export function addressProblem(host: string, port: number, error: unknown): string {
  const address = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  if (hasCode(error, "EADDRINUSE"))
    return `${address} is used by another program (\`ss -ltnp 'sport = :${port}'\` names it)`;
  if (hasCode(error, "EADDRNOTAVAIL")) return `${address} cannot be listened on: this machine has no address ${host}`;
  if (hasCode(error, "EACCES"))
    return `${address} may not be listened on by this user: a port below 1024 needs CAP_NET_BIND_SERVICE`;
  return `${address} cannot be listened on: ${error instanceof Error ? error.message : String(error)}`;
}
