// What the interface knows of a page before it is loaded.
import type { ComponentType, LazyExoticComponent } from "react";
import type { Me } from "./session/me.ts";
import type { StartWords } from "./words/language.ts";

/**
 * The requests that a page always makes. The page itself tells the browser about them (`vite/first-loads.ts`), so they
 * are literals here.
 */
interface FirstQuestion {
  /** Needed to be answered; empty: everybody is. */
  readonly scope: string;
  /** Exactly as it is asked, below `/api/v1`; `:id` is that of the page's own path. */
  readonly get: string;
  /** The first page of a list: asked only where the address has no search, filter or place of its own. */
  readonly bare?: true;
}

export interface Page {
  /** Below the base path, as wouter matches it: `/nodes/:id`. */
  readonly path: string;
  readonly page: LazyExoticComponent<ComponentType>;
  readonly title: (words: StartWords) => string;
  /**
   * Pages that the navigation lists. `key`: pressed after `g`, one letter, or two for a page that is rarely opened
   * (`"k m"`; the first of two is no page's own letter). Without one the palette finds the page.
   */
  readonly nav?: {
    readonly group: "overview" | "people" | "network" | "watch" | "connect" | "system";
    readonly scope: string;
    readonly key?: string;
    readonly icon: ComponentType<{ readonly size?: number | string; readonly stroke?: number | string }>;
  };
  /** Needed to open the page; that of `nav` unless said. */
  readonly scope?: string;
  /** Opens the page, and lists it, as well as that one does. */
  readonly or?: string;
  /** Needed beside it. */
  readonly further?: readonly string[];
  /** The page makes something new: offered by the plus of phones, and in the palette. */
  readonly creates?: true;
  /** Tells whether a person with the scope can do what the page is for; absent: each of them can. */
  readonly opensTo?: (me: Pick<Me, "base" | "usersReadOnly">) => boolean;
  /** The page has the whole room beside the navigation, without the usual margins. */
  readonly bleed?: true;
  /** Opened without a session. */
  readonly open?: true;
  /** Besides `/me`, which every page with a session asks. */
  readonly asks?: readonly FirstQuestion[];
  /** Modules below `src/web` that it imports while it runs, and always needs. */
  readonly also?: readonly string[];
  /** Not offered in the palette. */
  readonly hidden?: true;
}

/** What keeps a page from somebody: a scope that they lack, or, without one, what their account may not do. */
export interface Bar {
  readonly needs: string | undefined;
}

/** Undefined: the page opens, and is proposed. */
export function barOf(
  { scope, nav, or, further = [], opensTo }: Page,
  can: (scope: string) => boolean,
  me: Pick<Me, "base" | "usersReadOnly">,
): Bar | undefined {
  const first = opensBy(or, can) ? [] : [scope ?? nav?.scope ?? ""];
  const needs = [...first, ...further].find((each) => !can(each));
  if (needs !== undefined) return { needs };
  return opensTo === undefined || opensTo(me) ? undefined : { needs };
}

export function opensBy(or: string | undefined, can: (scope: string) => boolean): boolean {
  return or !== undefined && can(or);
}
