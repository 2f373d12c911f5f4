// The way to the choice of tiles. What lies behind it is loaded with the first click, so that the first visit stays
// small.
import { ActionIcon } from "@mantine/core";
import { IconAdjustmentsHorizontal } from "@tabler/icons-react";
import { lazy, Suspense, useState } from "react";
import { useWords } from "../words/words.ts";
import type { TileChoiceProps } from "./TileChoice.tsx";

const TileChoice = lazy(() => import("./TileChoice.tsx"));

export function TileButton(props: TileChoiceProps) {
  const words = useWords("overview");
  const [asked, setAsked] = useState(false);
  const button = (
    <ActionIcon
      variant="default"
      size={36}
      aria-label={words.chooseTiles}
      title={words.chooseTiles}
      onClick={() => setAsked(true)}
    >
      <IconAdjustmentsHorizontal size={17} aria-hidden />
    </ActionIcon>
  );
  if (!asked) return button;
  return (
    <Suspense fallback={button}>
      <TileChoice {...props} />
    </Suspense>
  );
}
