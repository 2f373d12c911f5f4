// What tests use of staged files besides.
export { StagedFileRows, StagedPartRows } from "./staged.entity.ts";
export { StagedFiles } from "./staged-files.ts";
