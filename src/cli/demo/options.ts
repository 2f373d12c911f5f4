// The demo's command line, and whether its address is free.
import { createServer } from "node:net";
import { parseArgs } from "node:util";
import { ListenAddress } from "../../agent/listen-address.ts";

export interface Options {
  readonly listen: ListenAddress;
  readonly keep: boolean;
}

/** Throws a sentence for bad usage. */
export function readOptions(argv: readonly string[]): Options {
  const options = {
    listen: { type: "string", default: "127.0.0.1:8090" },
    keep: { type: "boolean", default: false },
  } as const;
  const { values } = parseArgs({ args: [...argv], options, strict: true, allowPositionals: false });
  const listen = ListenAddress.safeParse(values.listen);
  if (!listen.success || listen.data.port === 0) throw new Error("--listen must be HOST:PORT, with a port of its own");
  return { listen: listen.data, keep: values.keep };
}

/** Throws a sentence when the panel could not listen there. */
export async function refuseTakenAddress(listen: ListenAddress): Promise<void> {
  const server = createServer();
  try {
    await new Promise<void>((done, reject) =>
      server.once("error", reject).listen({ ...listen, exclusive: true }, done),
    );
  } catch (error) {
    const taken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
    const why = taken
      ? "is in use"
      : `cannot be listened on (${error instanceof Error ? error.message : String(error)})`;
    throw new Error(`${textOf(listen)} ${why}: name another with --listen HOST:PORT`, { cause: error });
  }
  await new Promise((done) => server.close(done));
}

/** `host:port`, IPv6 in brackets. */
export function textOf({ host, port }: ListenAddress): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}
