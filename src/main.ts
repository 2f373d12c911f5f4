// The `signalbox` command: finds the command named and exits with its code (rules process.command).
import { flushCompileCache } from "node:module";
import { giveUpInherited } from "./lib/inherited.ts";
import { VERSION } from "./version.ts";

// No child gets what whoever started this process left open, and programs are looked up in trusted folders.
giveUpInherited();

// Whatever is made from here on is for its owner alone.
process.umask(0o077);

// The launcher sets the folder of the compile cache (bin/node24.mjs). A killed process would not write it, so it is
// written here.
setTimeout(flushCompileCache, 5000).unref();

interface Command {
  /** As it is typed, where that is more than its name. */
  readonly usage?: string;
  /** Its line of the help; a command without one is for other programs. */
  readonly says?: string;
  /** Imports the command when it is asked for: an agent does not load the panel. */
  readonly load: () => Promise<{ run: (argv: readonly string[]) => Promise<number>; help: string }>;
}

const COMMANDS: Readonly<Record<string, Command>> = {
  serve: {
    says: "run the panel",
    load: async () => {
      const { serve, SERVE_HELP } = await import("./cli/serve.cli.ts");
      return { run: serve, help: SERVE_HELP };
    },
  },
  agent: {
    says: "run a node's agent",
    load: async () => {
      const { agentCommand, AGENT_HELP } = await import("./agent/agent.cli.ts");
      return { run: (argv) => agentCommand(argv, process.env), help: AGENT_HELP };
    },
  },
  "net-keeper": {
    load: async () => {
      const { netKeeperCommand, NET_KEEPER_HELP } = await import("./agent/net-admin/keeper.cli.ts");
      return { run: netKeeperCommand, help: NET_KEEPER_HELP };
    },
  },
  simulate: {
    says: "answer for a whole fleet, without engines",
    load: async () => {
      const { simulateCommand, SIMULATE_HELP } = await import("./agent/simulate/simulate.cli.ts");
      return { run: (argv) => simulateCommand(argv, process.env), help: SIMULATE_HELP };
    },
  },
  demo: {
    says: "a panel with a small fleet to look at",
    load: async () => {
      const { demo, DEMO_HELP } = await import("./cli/demo.cli.ts");
      return { run: demo, help: DEMO_HELP };
    },
  },
  actors: {
    says: "which actors stand in which state",
    load: async () => {
      const { actors, ACTORS_HELP } = await import("./cli/actors.cli.ts");
      return { run: actors, help: ACTORS_HELP };
    },
  },
  actor: {
    usage: "actor KIND ID",
    says: "one actor: why it is in its state, and what wakes it next",
    load: async () => {
      const { actor, ACTOR_HELP } = await import("./cli/actor.cli.ts");
      return { run: actor, help: ACTOR_HELP };
    },
  },
  users: {
    usage: "users list|show|disable|enable|renew",
    says: "accounts: find one, why it cannot connect, switch it, renew it",
    load: async () => {
      const { users, USERS_HELP } = await import("./cli/users.cli.ts");
      return { run: users, help: USERS_HELP };
    },
  },
  jobs: {
    usage: "jobs list|show|cancel",
    says: "long work: what it does, stop it",
    load: async () => {
      const { jobs, JOBS_HELP } = await import("./cli/jobs.cli.ts");
      return { run: jobs, help: JOBS_HELP };
    },
  },
  settings: {
    usage: "settings list|get|set",
    says: "read and write settings",
    load: async () => {
      const { settings, SETTINGS_HELP } = await import("./cli/settings.cli.ts");
      return { run: settings, help: SETTINGS_HELP };
    },
  },
  admin: {
    usage: "admin create|reset-password|disable-2fa",
    says: "operators",
    load: async () => {
      const { admin, ADMIN_HELP } = await import("./cli/admin.cli.ts");
      return { run: admin, help: ADMIN_HELP };
    },
  },
  migrate: {
    says: "bring the database to this version",
    load: async () => {
      const { migrate, MIGRATE_HELP } = await import("./cli/migrate.cli.ts");
      return { run: migrate, help: MIGRATE_HELP };
    },
  },
};

/** The commands that people use, each with what it does. */
const LISTED = Object.entries(COMMANDS)
  .flatMap(([name, { usage = name, says }]) => (says === undefined ? [] : [`  ${usage.padEnd(42)}${says}`]))
  .join("\n");

const HELP = `signalbox COMMAND

${LISTED}
  --version, --help

\`signalbox COMMAND --help\` says more.
`;

async function main([name, ...rest]: readonly string[]): Promise<number> {
  if (name === "--version") {
    process.stdout.write(`${VERSION}\n`);
    return 0;
  }
  if (name === undefined || name === "--help" || name === "-h") {
    process.stdout.write(HELP);
    return name === undefined ? 2 : 0;
  }
  const known = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!known) {
    process.stderr.write(`there is no command ${name}\n\n${HELP}`);
    return 2;
  }
  const command = await known.load();
  if (rest.includes("--help") || rest.includes("-h")) {
    process.stdout.write(command.help);
    return 0;
  }
  return command.run(rest);
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`signalbox: ${error instanceof Error ? error.message : String(error)}\n`);
  if (process.env["SIGNALBOX_LOG_LEVEL"] === "debug" && error instanceof Error)
    process.stderr.write(`${error.stack ?? ""}\n`);
  process.exitCode = 1;
}
process.exit();
