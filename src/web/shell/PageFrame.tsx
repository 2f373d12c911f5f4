// One page: waits for its code, hands the focus to its heading, and when it breaks says so instead of an empty screen.
import { Button, Stack, Text, Title } from "@mantine/core";
import { Component, useEffect, useRef, useState, type ReactNode } from "react";
import { link } from "../api/live-link.ts";
import { isLost, useReachedAgain } from "../api/panel-reach.ts";
import { Late } from "../parts/Late.tsx";
import { WORDS_OF_PAGES } from "../words/of-pages.ts";
import { useAreas, useWords } from "../words/words.ts";
import { keepPageWhileAway } from "./lost-code.ts";

keepPageWhileAway();

/** `path`: of the page's row. */
export function PageFrame({ path, children }: { readonly path: string; readonly children: ReactNode }) {
  return (
    <PageBoundary>
      <Late>
        <PageWords path={path} />
        {children}
        <Arrival />
      </Late>
    </PageBoundary>
  );
}

/** Beside the page, so that its code is loaded at the same time. */
function PageWords({ path }: { readonly path: string }) {
  useAreas(WORDS_OF_PAGES[path] ?? []);
  return null;
}

/** Pages that follow the first one of a page load take the focus: readers hear where they are, and keys start there. */
let arrivals = 0;

function Arrival() {
  const here = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    // Behind the page's own effects: it has said what it follows.
    link.begin();
    const page = here.current?.parentElement;
    if (arrivals++ === 0 || !page || handOver(page)) return;
    // The heading comes with the answer. Who moved on meanwhile is not called back.
    const before = [document.activeElement, document.body];
    window.scrollTo(0, 0);
    const observer = new MutationObserver(() => {
      if (!before.includes(document.activeElement) || handOver(page)) observer.disconnect();
    });
    observer.observe(page, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, []);
  return <span ref={here} hidden />;
}

/** Gives the focus to the page's heading. False: there is none yet. */
function handOver(page: HTMLElement): boolean {
  const heading = page.querySelector<HTMLElement>("h1");
  if (!heading) return false;
  // A form has said where typing begins.
  const placed = page.contains(document.activeElement) && document.activeElement?.matches("input, textarea, button");
  if (placed || document.querySelector("[aria-modal=true]")) return true;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
  window.scrollTo(0, 0);
  return true;
}

interface BoundaryState {
  readonly error: unknown;
}

class PageBoundary extends Component<{ readonly children: ReactNode }, BoundaryState> {
  override state: BoundaryState = { error: undefined };

  static getDerivedStateFromError(error: unknown): BoundaryState {
    return { error };
  }

  override render(): ReactNode {
    return this.state.error === undefined ? this.props.children : <Broken error={this.state.error} />;
  }
}

/** Code that is not there any more belongs to a panel that was updated under an open page. */
function isOld(error: unknown): boolean {
  return error instanceof Error && /dynamically imported module|importing a module script|preload/i.test(error.message);
}

function Broken({ error }: { readonly error: unknown }) {
  const { broken, unreached } = useWords("shell");
  const [waits] = useState(() => isOld(error) && isLost());
  useReachedAgain(() => {
    if (waits) location.reload();
  });
  return (
    <Stack align="flex-start" gap="sm" role="alert">
      <Title order={1}>{waits ? unreached.title : broken.title}</Title>
      {waits ? null : <Text>{isOld(error) ? broken.old : broken.text}</Text>}
      {error instanceof Error ? (
        <Text size="xs" c="dimmed" ff="monospace" dir="ltr">
          {error.message}
        </Text>
      ) : null}
      <Button onClick={() => location.reload()}>{broken.again}</Button>
    </Stack>
  );
}
