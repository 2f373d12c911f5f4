// What the navigation lists for one person: the pages that exist and that the person's scopes reach, group by group.
import { opensBy, type Page } from "../page.ts";
import { PAGES } from "../pages.ts";

export type NavPage = Page & { readonly nav: NonNullable<Page["nav"]> };
export type NavGroup = NavPage["nav"]["group"];

const GROUPS: readonly NavGroup[] = ["overview", "people", "network", "watch", "connect", "system"];

/** Listed pages in the order of their groups. */
export function navPages(can: (scope: string) => boolean): readonly NavPage[] {
  const listed = PAGES.filter(
    (page): page is NavPage => page.nav !== undefined && (can(page.nav.scope) || opensBy(page.or, can)),
  );
  return GROUPS.flatMap((group) => listed.filter(({ nav }) => nav.group === group));
}

export function navGroups(
  pages: readonly NavPage[],
): readonly { readonly group: NavGroup; readonly pages: readonly NavPage[] }[] {
  return GROUPS.map((group) => ({ group, pages: pages.filter(({ nav }) => nav.group === group) })).filter(
    (each) => each.pages.length > 0,
  );
}

/** Whether `path` is the page or one below it. */
export function isWithin(path: string, page: string): boolean {
  return page === "/" ? path === "/" : path === page || path.startsWith(`${page}/`);
}
