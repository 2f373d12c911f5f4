// The group that tells an agent's engines from the agent itself, which are one user: by it the kernel knows what an
// engine sends (`PortMap.guardTargets`). A panel that confines an agent makes it the agent's real group, and another
// one its effective group. Everywhere else the two are one, and nothing here does anything.

/** Does what starts an engine, or looks into one, as a process of the engines' group: the kernel asks for that. */
export function inEngineGroup<T>(work: () => T): T {
  const engines = process.getgid?.();
  const own = process.getegid?.();
  if (engines === undefined || own === undefined || engines === own) return work();
  process.setegid?.(engines);
  try {
    return work();
  } finally {
    process.setegid?.(own);
  }
}
