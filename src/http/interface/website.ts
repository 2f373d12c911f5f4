// A directory served as an ordinary web site at the addresses that are not the panel's (rules settings.site).
//
// Never served: directory listings, dotfiles, what a symbolic link leads to outside the directory, and files that not
// everybody on the machine may read.
import { realpath, stat } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { sep } from "node:path";
import { pipeline } from "node:stream/promises";
import send from "@fastify/send";
import type { WebsiteFolder } from "../ports.ts";
import { targetPath } from "../request/target.ts";

/** What others than owner and group may read. */
const PUBLIC = 0o004;

/** A file that the directory does not really hold. */
class Outside extends Error {
  override readonly name = "Outside";
}

/** Answers with the file that the request's path names; false when the site has none. */
export async function sendFromSite(
  website: WebsiteFolder,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  if (request.method !== "GET" && request.method !== "HEAD") return false;
  const path = targetPath(request);
  try {
    const root = await realpath(website.directory);
    if (!website.admits(root)) return false;
    const found = await send(request, path, {
      root,
      dotfiles: "ignore",
      index: ["index.html"],
      onFile: (file) => refusePrivate(root, file),
    });
    if (found.type === "error") return false;
    if (found.type === "directory") {
      await refuseOutside(root, found.metadata.path);
      // One slash at the start: two would name another host.
      const location = `${path.replace(/^\/+/, "/")}/`;
      response.writeHead(301, { Location: location, "Content-Length": "0" }).end();
      return true;
    }
    response.writeHead(found.statusCode, found.headers);
    // The answer ends if the client leaves before the end, or if the file disappears meanwhile.
    await pipeline(found.stream, response).catch(() => response.destroy());
    return true;
  } catch (error) {
    // The site, or a part of it, is gone or not readable: there is nothing at this address.
    if (
      error instanceof Outside ||
      (error instanceof Error && "code" in error && typeof error.code === "string" && /^E[A-Z]+$/.test(error.code))
    )
      return false;
    throw error;
  }
}

/** A key or a database that got into the site by mistake is for its owner alone, and is no page. */
async function refusePrivate(root: string, file: string): Promise<void> {
  await refuseOutside(root, file);
  const { mode } = await stat(file);
  if ((mode & PUBLIC) === 0) throw new Outside(file);
}

async function refuseOutside(root: string, file: string): Promise<void> {
  const real = await realpath(file);
  if (real !== root && !real.startsWith(`${root}${sep}`)) throw new Outside(file);
}
