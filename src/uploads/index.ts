// What other features use of files that were sent.
export { Spool } from "./spool.ts";
export type { Purpose, Sending, Spooled, Uploads } from "./uploads.ts";
export { feature } from "./feature.ts";
