// What an archive would bring, asked once; again with the passphrase that it wants.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ApiError } from "../api/call.ts";
import type { AnswerOf } from "../parts/Answer.tsx";
import { askOf, nameOf, type Preview, type Source } from "./backup.ts";

export interface PreviewAsked {
  readonly answer: AnswerOf<Preview>;
  readonly passphrase: string | undefined;
  readonly tryWith: (passphrase: string) => void;
}

export function usePreview(source: Source): PreviewAsked {
  const [passphrase, tryWith] = useState<string>();
  const answer = useQuery<Preview, ApiError>({
    queryKey: ["an archive's preview", nameOf(source), "file" in source ? source.file.lastModified : 0, passphrase],
    queryFn: ({ signal }) => askOf<Preview>(source, "preview", { passphrase, signal }),
    // The panel reads the whole archive for it.
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  return { answer, passphrase, tryWith };
}
