// How commands begin and end that read records or change them: what was asked is read first, and a source is opened for
// it, which is closed in any case.
import { EXIT } from "./exit.ts";
import { openSource, type Source } from "./source.ts";

export interface RecordCommand<A> {
  /** Throws a sentence for bad usage. */
  readonly read: (argv: readonly string[]) => A;
  /** What is told with that sentence. */
  readonly help: string;
  /** Resolves to the exit code. */
  readonly carryOut: (asked: A, source: Source) => Promise<number>;
}

/** Resolves to the exit code: 2 for bad usage (rule process.command.1). */
export async function onRecords<A>(
  argv: readonly string[],
  { read, help, carryOut }: RecordCommand<A>,
): Promise<number> {
  let asked: A;
  try {
    asked = read(argv);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${help}`);
    return EXIT.usage;
  }
  const source = await openSource();
  try {
    return await carryOut(asked, source);
  } finally {
    await source.close();
  }
}
