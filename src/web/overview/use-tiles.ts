// The tiles of the person who looks: kept with the account, so that they are the same on every device.
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError, call } from "../api/call.ts";
import { refusalText } from "../parts/refusal.ts";
import { useMe } from "../session/me.ts";
import { sayFailed } from "../browser/toasts.tsx";
import { useWords } from "../words/words.ts";
import { chosenTiles, keptTiles, type TileId } from "./tiles.ts";

export interface OwnTiles {
  readonly chosen: readonly TileId[];
  readonly choose: (chosen: readonly TileId[]) => void;
}

export function useTiles(may: (id: TileId) => boolean): OwnTiles {
  const words = useWords("parts");
  const queries = useQueryClient();
  const { dashboardTiles } = useMe();
  const [kept, setKept] = useState(dashboardTiles);
  return {
    chosen: chosenTiles(kept, may),
    choose(chosen) {
      const value = keptTiles(chosen, kept, may);
      setKept(value);
      call("PUT", "/me/dashboard-tiles", { body: { value } }).then(
        () => queries.invalidateQueries({ queryKey: ["/me"] }),
        (error: unknown) => {
          if (!(error instanceof ApiError)) throw error;
          setKept(dashboardTiles);
          const { title, cause } = refusalText(error, words);
          sayFailed(title, cause);
        },
      );
    },
  };
}
