// The way to where the actor stood at a moment: a button; what it opens is loaded then.
import { ActionIcon } from "@mantine/core";
import { IconClockSearch } from "@tabler/icons-react";
import { lazy } from "react";
import { LateMenu } from "../../parts/LateMenu.tsx";
import { useWords } from "../../words/words.ts";
import classes from "../actor/actor.module.css";

export interface JumpProps {
  readonly kind: string;
  readonly id: string;
  readonly onCursor: (seq: number) => void;
}

const load = () => import("./JumpForm.tsx");
const JumpForm = lazy(load);

export function JumpToTime(props: JumpProps) {
  const { journal: words } = useWords("inspect");
  return (
    <LateMenu
      load={load}
      popup="dialog"
      button={(button) => (
        <ActionIcon
          variant="default"
          className={classes["stepper"] ?? ""}
          aria-label={words.jump}
          title={words.jump}
          {...button}
        >
          <IconClockSearch size={16} aria-hidden />
        </ActionIcon>
      )}
    >
      {(button) => <JumpForm {...props} button={button} />}
    </LateMenu>
  );
}
