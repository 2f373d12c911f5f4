// The programs that the documents' examples are written for.
import { hasPrograms } from "../programs.ts";

/** The pages' commands read answers with Python. */
export const hasShell = hasPrograms("examples of the documents", "bash", "curl", "python3");
export const hasPython = hasShell || hasPrograms("examples in Python", "python3");
