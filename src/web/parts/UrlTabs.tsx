// Tabs whose selection is in the URL, so that Back and a shared link open the same tab.
import { Tabs } from "@mantine/core";
import { Suspense, useEffect, useRef, useState, type ReactNode } from "react";
import { useSearchParams } from "wouter";
import { LoadingLines } from "./Answer.tsx";
import classes from "./tabs.module.css";

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
  const { list, more } = useOverflow(value);
  return (
    <Tabs value={value} onChange={choose} keepMounted={false}>
      <Tabs.List mb="md" className={classes["list"] ?? ""} data-more={more} ref={list}>
        {tabs.map(({ id, label }) => (
          <Tabs.Tab key={id} value={id}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(({ id, content }) => (
        <Tabs.Panel key={id} value={id}>
          <Suspense fallback={<LoadingLines lines={6} />}>{content}</Suspense>
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

/**
 * Tabs that are wider than the page scroll: the chosen one is in sight, and the row fades where there are more of them
 * (`start`, `end` or both).
 */
function useOverflow(value: string) {
  const list = useRef<HTMLDivElement>(null);
  const [more, setMore] = useState("");
  useEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [value]);
  useEffect(() => {
    const row = list.current;
    if (!row) return;
    const look = () => {
      // Right to left it scrolls below zero.
      const passed = Math.abs(row.scrollLeft);
      const left = row.scrollWidth - row.clientWidth - passed;
      setMore([passed > 1 && "start", left > 1 && "end"].filter((side) => side !== false).join(" "));
    };
    const observer = new ResizeObserver(look);
    observer.observe(row);
    row.addEventListener("scroll", look, { passive: true });
    return () => {
      observer.disconnect();
      row.removeEventListener("scroll", look);
    };
  }, []);
  return { list, more };
}
