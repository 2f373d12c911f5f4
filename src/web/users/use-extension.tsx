// How much volume and time is added to accounts: both inputs, and what is typed in them.
import { useId, useState, type ReactNode } from "react";
import { BytesInput } from "../parts/form/BytesInput.tsx";
import { DurationInput } from "../parts/form/DurationInput.tsx";
import { useWords } from "../words/words.ts";

export interface Extension {
  readonly bytes: number;
  readonly seconds: number;
  /** What is typed in one of the inputs means nothing. */
  readonly wrong: boolean;
  readonly volumeInput: ReactNode;
  readonly timeInput: ReactNode;
}

export function useExtension(): Extension {
  const words = useWords("users");
  const id = useId();
  const [bytes, setBytes] = useState(0);
  const [seconds, setSeconds] = useState(0);
  const [problems, setProblems] = useState<{ bytes?: string | undefined; seconds?: string | undefined }>({});
  return {
    bytes,
    seconds,
    wrong: problems.bytes !== undefined || problems.seconds !== undefined,
    volumeInput: (
      <BytesInput
        id={`${id}-bytes`}
        label={words.extendVolume}
        value={bytes}
        onChange={setBytes}
        onProblem={(problem) => setProblems((all) => ({ ...all, bytes: problem }))}
        error={problems.bytes}
      />
    ),
    timeInput: (
      <DurationInput
        id={`${id}-seconds`}
        label={words.extendTime}
        value={seconds}
        onChange={setSeconds}
        onProblem={(problem) => setProblems((all) => ({ ...all, seconds: problem }))}
        error={problems.seconds}
      />
    ),
  };
}
