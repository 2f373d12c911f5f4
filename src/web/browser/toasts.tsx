// Short messages at the edge of the screen: a change was made, or refused. What a person must act on belongs into the
// page instead. Their code is loaded with the first of them.

export interface Toast {
  readonly tone: "done" | "partly" | "failed";
  readonly title?: string;
  readonly text: string;
  /** What can be done about it: "Undo". */
  readonly offer?: ToastOffer;
}

export interface ToastOffer {
  readonly label: string;
  readonly run: () => void;
}

/** A change is on the panel's disk: "User sara was created". */
export function sayDone(text: string, offer?: ToastOffer): void {
  void show({ tone: "done", text, ...(offer && { offer }) });
}

/** Something did not happen, in words: stays until it is closed. */
export function sayFailed(title: string, reason: string): void {
  void show({ tone: "failed", title, text: reason });
}

/** Some of it happened and some did not: stays until it is closed, too. */
export function sayPartly(title: string, reason: string): void {
  void show({ tone: "partly", title, text: reason });
}

let host: (() => void) | undefined;

/** Where the messages are drawn: called when there is a first one. */
export function hostToasts(begin: () => void): () => void {
  host = begin;
  return () => {
    if (host === begin) host = undefined;
  };
}

async function show(toast: Toast): Promise<void> {
  host?.();
  const { showToast } = await import("./ToastList.tsx");
  showToast(toast);
}
