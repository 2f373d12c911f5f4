// What only the person at the screen can get a call past: a session that ended, a second factor that is no longer
// fresh. Calls wait here; dialogs answer.

/** `session`: sign in again. `factor`: a code of the second factor. */
export type Hurdle = "session" | "factor";

/** Shows what the person must do. Resolves with whether it was done. */
export type Asker = (hurdle: Hurdle) => Promise<boolean>;

let asker: Asker | undefined;
const asked = new Map<Hurdle, Promise<boolean>>();

/** The component that draws the dialogs registers for the questions; the returned function ends that. */
export function answerHurdles(ask: Asker): () => void {
  asker = ask;
  return () => {
    if (asker === ask) asker = undefined;
  };
}

/** Resolves with whether the call may be tried again. All calls that wait for the same thing share one dialog. */
export async function passHurdle(hurdle: Hurdle): Promise<boolean> {
  const open = asked.get(hurdle);
  if (open) return open;
  if (!asker) return false;
  const question = asker(hurdle).finally(() => asked.delete(hurdle));
  asked.set(hurdle, question);
  return question;
}
