// Why a record was refused, in the person's language.
import { useWords } from "../words/words.ts";
import { problemText, type Said } from "./problem-text.ts";

export function useProblemText(): (problem: Said) => string {
  const words = useWords("jobs");
  const parts = useWords("parts");
  return (problem) => problemText(problem, words, parts);
}
