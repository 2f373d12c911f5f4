// Where sources and builds of the interface are.
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The checkout, or the unpacked release. */
export const CHECKOUT = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");

/** Builds of the checkout; a release brings one. */
export const OUTPUT = join(CHECKOUT, ".web");
