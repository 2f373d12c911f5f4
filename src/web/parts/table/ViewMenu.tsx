// The button of a list's named views.
import { ActionIcon } from "@mantine/core";
import { IconBookmark } from "@tabler/icons-react";
import { lazy } from "react";
import { useWords } from "../../words/words.ts";
import { LateMenu } from "../LateMenu.tsx";
import type { ColumnChoice } from "./columns.ts";
import type { ListQuery } from "./list-query.ts";

export interface ReadyView {
  readonly name: string;
  readonly address: string;
}

export interface ViewMenuProps {
  readonly table: string;
  readonly query: ListQuery;
  readonly choice: Pick<ColumnChoice<unknown>, "put" | "chosen">;
  /** Views that the page itself offers; they leave the columns alone. */
  readonly ready: readonly ReadyView[];
}

const load = () => import("./ViewList.tsx");
const ViewList = lazy(load);

export function ViewMenu(props: ViewMenuProps) {
  const words = useWords("parts");
  return (
    <LateMenu
      load={load}
      popup="dialog"
      button={(button) => (
        <ActionIcon variant="default" size={36} aria-label={words.views} title={words.views} {...button}>
          <IconBookmark size={17} aria-hidden />
        </ActionIcon>
      )}
    >
      {(button) => <ViewList {...props} button={button} />}
    </LateMenu>
  );
}
