// Runs `agent` or `simulate` as a process of its own, for tests of the commands.
import { agentCommand } from "../../src/agent/agent.cli.ts";
import { simulateCommand } from "../../src/agent/simulate/simulate.cli.ts";

const [command, ...argv] = process.argv.slice(2);
process.exit(await (command === "agent" ? agentCommand(argv, process.env) : simulateCommand(argv, process.env)));
