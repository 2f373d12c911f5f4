// What other features use of files that were sent.
export type { Purpose } from "./places.ts";
export { Spool, type Spooled } from "./spool.ts";
export { spooledFile, type Sending, type Uploads } from "./uploads.ts";
export { feature } from "./feature.ts";
