// What the panel uses of backups.
export { feature } from "./feature.ts";
export { swapStaged } from "./restore/swap.ts";
export { withNewestArchive } from "./restore/newest-archive.ts";
