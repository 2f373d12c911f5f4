// What the composition root uses of the interface's building.
export { openInterface } from "./interface.ts";
