// One example of each body, and of its answer, by the operation's name. Taken from a run: `npm run examples`.
import type { Example } from "./operations.ts";

export const EXAMPLES: Readonly<Record<string, Example>> = {};
