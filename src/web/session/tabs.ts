// What the tabs of one browser tell each other: a session ended or began. Tabs of another panel on this host do not
// hear it.

type News = "ended" | "begun";

const channel = new BroadcastChannel(`signalbox ${new URL(document.baseURI).pathname}`);

export function tellTabs(news: News): void {
  channel.postMessage(news);
}

/** Calls `hear` when another tab sends `news`; the returned function ends that. */
export function answerTabs(news: News, hear: () => void): () => void {
  const listener = (event: MessageEvent<unknown>): void => {
    if (event.data === news) hear();
  };
  channel.addEventListener("message", listener);
  return () => channel.removeEventListener("message", listener);
}
