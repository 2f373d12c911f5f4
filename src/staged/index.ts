// What other features use of staged files.
export { ownArch, type StagedFiles } from "./staged-files.ts";
export { feature } from "./feature.ts";
