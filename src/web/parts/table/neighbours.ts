// The list that a person came from: its position, and the records before and after the open one. Stored for this tab,
// so it survives a reload.

interface Trail {
  readonly address: string;
  readonly hrefs: readonly string[];
}

const key = (table: string) => `signalbox.trail.${table}`;

/** What a list shows now: its address with search and filters, and where its rows lead. */
export function leaveTrail(table: string, trail: Trail): void {
  sessionStorage.setItem(key(table), JSON.stringify(trail));
}

export interface Neighbours {
  /** The list as it was left; undefined when there was none. */
  readonly list: string | undefined;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** The list that the person came from, and the records before and after the one at `href`. */
export function neighboursOf(table: string, href: string): Neighbours {
  const trail = readTrail(sessionStorage.getItem(key(table)));
  const at = trail?.hrefs.indexOf(href) ?? -1;
  return {
    list: trail?.address,
    before: at > 0 ? trail?.hrefs[at - 1] : undefined,
    after: at === -1 ? undefined : trail?.hrefs[at + 1],
  };
}

function readTrail(text: string | null): Trail | undefined {
  if (text === null) return undefined;
  try {
    const { address, hrefs } = JSON.parse(text) as Partial<Record<keyof Trail, unknown>>;
    if (typeof address !== "string" || !Array.isArray(hrefs)) return undefined;
    return { address, hrefs: hrefs.filter((href) => typeof href === "string") };
  } catch {
    // Written by something else: there is no trail.
    return undefined;
  }
}
