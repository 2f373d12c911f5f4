// Facts of the runtime that every process on a shared database must hear: what was done, what began, what ended. The rest (timers armed, effects asked for) concerns the process that
// committed it; should that one die, the others find the rows.
export const SHARED_FACTS: readonly string[] = ["transition", "fault", "event", "residents", "effectEnded", "shards"];
