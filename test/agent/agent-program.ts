// The agent as an operator's machine runs it: a process of its own, with its log as parsed lines.
import { join } from "node:path";
import { z } from "zod";
import { startStopwatch } from "../stopwatch.ts";
import { Program, SIGNALBOX, type Exit } from "../e2e/processes.ts";

const Line = z.looseObject({ level: z.number(), msg: z.string() });
const Announcement = z.object({ listening: z.string(), fingerprint: z.string() });

export interface AgentStart {
  /** Holds `trust.pem`; the agent keeps its data in `data`. */
  readonly directory: string;
  readonly engine: string;
  /** Options beside listen, data, trust and engine. */
  readonly argv?: readonly string[];
  /** Words before the command, `setpriv …` for example. */
  readonly before?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The program's entry file, where it is not the one of this checkout. */
  readonly main?: string;
}

export class AgentProgram {
  readonly program: Program;
  readonly port: number;
  readonly fingerprint: string;

  private constructor(program: Program, port: number, fingerprint: string) {
    this.program = program;
    this.port = port;
    this.fingerprint = fingerprint;
  }

  /** Resolves once it listens. Rejects with all it wrote when it ends before. */
  static async start(start: AgentStart): Promise<AgentProgram> {
    const program = spawnAgent(start);
    const [line] = await program.says(/^\{"listening".*\}$/m);
    const { listening, fingerprint } = Announcement.parse(JSON.parse(line));
    return new AgentProgram(program, Number(listening.split(":").at(-1)), fingerprint);
  }

  get pid(): number {
    return this.program.pid;
  }

  /** Log lines so far. */
  get log(): readonly z.infer<typeof Line>[] {
    return this.program.output.split("\n").flatMap((text) => {
      if (!text.startsWith('{"level"')) return [];
      return [Line.parse(JSON.parse(text))];
    });
  }

  /** How it ended after SIGTERM, and the milliseconds that took, as a quiet machine counts them. */
  async stop(): Promise<Exit & { ms: number }> {
    const elapsed = startStopwatch();
    const exit = await this.program.end("SIGTERM");
    return { ...exit, ms: elapsed() };
  }
}

/** The process alone, for starts that are refused. */
export function spawnAgent({ directory, engine, argv = [], before = [], env = {}, main }: AgentStart): Program {
  const options = [
    "--listen",
    "127.0.0.1:0",
    "--data",
    join(directory, "data"),
    "--trust",
    join(directory, "trust.pem"),
    "--engine",
    engine,
  ];
  const [command = process.execPath, ...args] = [
    ...before,
    process.execPath,
    ...(main === undefined ? SIGNALBOX : [main]),
    "agent",
    ...options,
    ...argv,
  ];
  return new Program({ command, args, env });
}
