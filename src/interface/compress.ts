// Compressed copies beside the files of a build, so that no request compresses anything.
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { ENCODINGS } from "../http/interface/files.ts";

/** Fonts and pictures are compressed already. */
const TEXT = /\.(css|html|js|json|svg|txt|webmanifest)$/;
/** Below, a copy saves less than the header that announces it. */
const LEAST = 512;

/** `quality` of brotli: 10 while a panel waits, 11 (a second more) for a release. */
export async function compressAll(directory: string, quality: number): Promise<void> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const texts = entries.filter((entry) => entry.isFile() && TEXT.test(entry.name) && entry.name !== "index.html");
  await Promise.all(texts.map(({ parentPath, name }) => compress(join(parentPath, name), quality)));
}

async function compress(file: string, quality: number): Promise<void> {
  const content = await readFile(file);
  if (content.length < LEAST) return;
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(content, { params }),
    promisify(gzip)(content, { level: 9 }),
  ]);
  await Promise.all([writeFile(file + ENCODINGS.br, br), writeFile(file + ENCODINGS.gzip, gz)]);
}
