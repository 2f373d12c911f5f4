// The way to the choice of tiles. What lies behind it is loaded with the first click, so that the first visit stays
// small.
import { ActionIcon } from "@mantine/core";
import { IconAdjustmentsHorizontal } from "@tabler/icons-react";
import { lazy, startTransition, Suspense, useState } from "react";
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
      // The button stays, with the focus, until the choice has been loaded.
      onClick={() => startTransition(() => setAsked(true))}
    >
      <IconAdjustmentsHorizontal size={17} aria-hidden />
    </ActionIcon>
  );
  return <Suspense fallback={button}>{asked ? <TileChoice {...props} /> : button}</Suspense>;
}
