// What a person runs on a machine to make it a node: one command that writes the panel's certificate down and starts
// the agent.

export interface AgentCommand {
  readonly port: number;
  /** PEM of what the agent must trust. */
  readonly certificate: string;
}

export const TRUST_FILE = "panel.pem";

/** For a shell in a checkout of Signalbox. The certificate is PEM: nothing in it needs quoting. */
export function agentCommand({ port, certificate }: AgentCommand): string {
  return [
    `cat > ${TRUST_FILE} <<'PEM'`,
    certificate.trim(),
    "PEM",
    `node bin/signalbox.mjs agent --listen 0.0.0.0:${port} --data ./agent --trust ${TRUST_FILE}`,
  ].join("\n");
}
