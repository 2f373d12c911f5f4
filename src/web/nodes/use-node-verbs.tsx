// What can be done with a node. What ends connections or cannot be taken back asks first, and names what follows.
import { Checkbox, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { useLocation } from "wouter";
import { ApiError, call } from "../api/call.ts";
import { useFormat } from "../format/use-format.ts";
import { ConfirmDialog } from "../parts/ConfirmDialog.tsx";
import { Code } from "../parts/Names.tsx";
import { Facts } from "../parts/Record.tsx";
import { refusalText } from "../parts/refusal.ts";
import { sayDone, sayFailed, sayPartly } from "../shell/toasts.tsx";
import { useWords } from "../words/words.ts";
import type { Node } from "./node.ts";
import { printsIn } from "./standing.ts";
import { removeLeftovers, useLeftovers } from "./use-leftovers.ts";

export interface NodeVerbs {
  readonly reconnect: (node: Pick<Node, "id" | "name">) => void;
  readonly sync: (node: Pick<Node, "id" | "name">) => void;
  /** On at once, off after a question. */
  readonly enable: (node: Node, enabled: boolean) => void;
  readonly repin: (node: Node) => void;
  readonly remove: (node: Node) => void;
  /** The node about which the panel is being asked something right now. */
  readonly busy: number | undefined;
  /** To be drawn somewhere on the page. */
  readonly dialogs: ReactNode;
}

interface Asked {
  readonly deed: "disable" | "delete" | "repin";
  readonly node: Node;
}

/** Marks everything old that a change of a node may have changed. */
export function useNodesRefreshed(): (id: number) => void {
  const queries = useQueryClient();
  return (id) => {
    for (const path of ["/nodes", `/nodes/${id}`, "/actors", `/actors/node/${id}`, `/actors/node/${id}/journal`]) {
      void queries.invalidateQueries({ queryKey: [path] });
    }
  };
}

/** `afterDelete`: where to go when the node of this page is deleted. */
export function useNodeVerbs(options: { readonly afterDelete?: string } = {}): NodeVerbs {
  const words = useWords("nodes");
  const format = useFormat();
  const parts = useWords("parts");
  const refresh = useNodesRefreshed();
  const [, navigate] = useLocation();
  const [asked, setAsked] = useState<Asked>();
  const leftovers = useLeftovers(asked?.deed === "delete" ? asked.node : undefined);
  const [clears, setClears] = useState(false);
  const queries = useQueryClient();
  const [busy, setBusy] = useState<number>();

  const at = async (node: Pick<Node, "id" | "name">, verb: string, deed: () => Promise<string>) => {
    setBusy(node.id);
    try {
      sayDone(await deed());
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { title, cause } = refusalText(error, parts);
      sayFailed(`${node.name}: ${verb}`, cause === "" ? title : cause);
    } finally {
      setBusy(undefined);
      refresh(node.id);
    }
  };
  const confirmed = async ({ deed, node }: Asked) => {
    if (deed === "disable") {
      await call("POST", `/nodes/${node.id}/enabled`, { body: { enabled: false } });
      sayDone(words.done.disabled(node.name));
    } else if (deed === "repin") {
      await call("POST", `/nodes/${node.id}/repin`);
      sayDone(words.done.repin(node.name));
    } else {
      const { stopped } = await call<{ stopped: boolean }>("DELETE", `/nodes/${node.id}`);
      const done = stopped ? words.done.deleted(node.name) : words.done.deletedUnreached(node.name);
      const error = leftovers && clears ? await removeLeftovers(leftovers) : undefined;
      for (const path of ["/templates", "/inbounds"]) void queries.invalidateQueries({ queryKey: [path] });
      const { title, cause } = error ? refusalText(error, parts) : { title: "", cause: "" };
      if (error) sayPartly(done, `${words.confirm.delete.leftBehind} ${cause === "" ? title : cause}`);
      else sayDone(done);
      if (options.afterDelete !== undefined) navigate(options.afterDelete);
    }
    refresh(node.id);
  };

  return {
    reconnect: (node) =>
      void at(node, words.verbs.reconnect, async () => {
        await call("POST", `/nodes/${node.id}/reconnect`);
        return words.done.reconnect(node.name);
      }),
    sync: (node) =>
      void at(node, words.verbs.sync, async () => {
        const { revision } = await call<{ revision: number }>("POST", `/nodes/${node.id}/sync`);
        return words.done.sync(format.number(revision));
      }),
    enable: (node, enabled) =>
      enabled
        ? void at(node, words.verbs.enable, async () => {
            await call("POST", `/nodes/${node.id}/enabled`, { body: { enabled } });
            return words.done.enabled(node.name);
          })
        : setAsked({ deed: "disable", node }),
    repin: (node) => setAsked({ deed: "repin", node }),
    remove: (node) => {
      setClears(false);
      setAsked({ deed: "delete", node });
    },
    busy,
    dialogs: asked ? (
      <ConfirmDialog
        opened
        onClose={() => setAsked(undefined)}
        title={words.confirm[asked.deed].title(asked.node.name)}
        consequence={
          <Stack gap="sm">
            <Consequence {...asked} />
            {asked.deed === "delete" && leftovers ? (
              <Checkbox
                checked={clears}
                onChange={(event) => setClears(event.currentTarget.checked)}
                label={words.confirm.delete.leftovers(
                  leftovers.template.name,
                  leftovers.inbounds.length,
                  format.number(leftovers.inbounds.length),
                )}
              />
            ) : null}
          </Stack>
        }
        confirm={words.verbs[asked.deed]}
        danger={asked.deed !== "disable"}
        run={() => confirmed(asked)}
      />
    ) : null,
  };
}

function Consequence({ deed, node }: Asked) {
  const words = useWords("nodes");
  const format = useFormat();
  if (deed !== "repin") return <>{words.confirm[deed].text(format.number(node.online ?? 0))}</>;
  const prints = printsIn(node.cause);
  return (
    <Stack gap="sm">
      <Text size="sm">{words.confirm.repin.text}</Text>
      {prints ? (
        <Facts
          items={[
            { label: words.confirm.repin.saved, value: <Code>{prints.saved}</Code> },
            { label: words.confirm.repin.presented, value: <Code>{prints.presented}</Code> },
          ]}
        />
      ) : null}
    </Stack>
  );
}
