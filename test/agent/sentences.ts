// The sentences of notices, which tests hold word by word.
import type { AgentNotice } from "../../src/agent/notices.ts";

export function sentences(notices: readonly AgentNotice[]): string[] {
  return notices.map(({ detail }) => detail);
}
