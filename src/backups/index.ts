// What the panel uses of backups.
export { feature } from "./feature.ts";
