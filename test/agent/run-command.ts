// Runs `agent` or `simulate` as a process of its own, for tests of the commands.
import { agentCommand } from "../../src/agent/command.ts";
import { simulateCommand } from "../../src/agent/simulate/command.ts";

const [command, ...argv] = process.argv.slice(2);
process.exit(await (command === "agent" ? agentCommand(argv, process.env) : simulateCommand(argv, process.env)));
