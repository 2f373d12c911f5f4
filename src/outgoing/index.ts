// The one guarded way out to addresses that somebody types: what other rooms use of it.
export { OutgoingError, type OutgoingFailure } from "./failure.ts";
export { openOutgoing, type Outgoing } from "./outgoing.ts";
export { checkTarget, parseTarget } from "./target.ts";
export { type Fetch, type OutgoingRequest, type OutgoingResponse } from "./fetch.ts";
