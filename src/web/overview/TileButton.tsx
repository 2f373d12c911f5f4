// The way to the choice of tiles, which is loaded when somebody first points at it.
import { ActionIcon } from "@mantine/core";
import { IconAdjustmentsHorizontal } from "@tabler/icons-react";
import { lazy } from "react";
import { LateMenu } from "../parts/LateMenu.tsx";
import { useWords } from "../words/words.ts";
import type { TileChoiceProps } from "./TileChoice.tsx";

const load = () => import("./TileChoice.tsx");
const TileChoice = lazy(load);

export function TileButton(props: Omit<TileChoiceProps, "button">) {
  const words = useWords("overview");
  return (
    <LateMenu
      load={load}
      popup="dialog"
      button={(late) => (
        <ActionIcon variant="default" size={36} aria-label={words.chooseTiles} title={words.chooseTiles} {...late}>
          <IconAdjustmentsHorizontal size={17} aria-hidden />
        </ActionIcon>
      )}
    >
      {(button) => <TileChoice {...props} button={button} />}
    </LateMenu>
  );
}
