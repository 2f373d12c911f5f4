// What the composition root uses of the interface's building.
export { openInterface, type Interface } from "./interface.ts";
