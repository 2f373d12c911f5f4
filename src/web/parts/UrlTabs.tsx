// Tabs whose selection is in the URL, so that Back and a shared link open the same tab.
import { Tabs } from "@mantine/core";
import { Suspense, type ReactNode } from "react";
import { useSearchParams } from "wouter";

export interface UrlTab {
  readonly id: string;
  readonly label: ReactNode;
  readonly content: ReactNode;
}

/** The first tab is the default and not in the address. */
export function UrlTabs({ tabs, param = "tab" }: { readonly tabs: readonly UrlTab[]; readonly param?: string }) {
  const [search, setSearch] = useSearchParams();
  const first = tabs[0]?.id ?? "";
  const chosen = search.get(param) ?? first;
  const value = tabs.some(({ id }) => id === chosen) ? chosen : first;
  const choose = (id: string | null) =>
    setSearch((now) => {
      const next = new URLSearchParams(now);
      if (id === null || id === first) next.delete(param);
      else next.set(param, id);
      return next;
    });
  return (
    <Tabs value={value} onChange={choose} keepMounted={false}>
      <Tabs.List mb="md" style={{ flexWrap: "nowrap", overflowX: "auto", overflowY: "hidden" }}>
        {tabs.map(({ id, label }) => (
          <Tabs.Tab key={id} value={id}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(({ id, content }) => (
        <Tabs.Panel key={id} value={id}>
          <Suspense>{content}</Suspense>
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
