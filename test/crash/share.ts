// How long a campaign goes on: for so many rounds, or for its share of a run's minutes.

/** Asked after each round, with the rounds that are done: whether there is another one. */
export type GoesOn = (done: number) => boolean;

export function forRounds(rounds: number): GoesOn {
  return (done) => done < rounds;
}

/**
 * At least `least` rounds, so that a busy machine proves something too, and at most `most`, so that a fast one does not
 * grow what is compared without end.
 */
export function forSeconds(
  seconds: number,
  { least, most }: { readonly least: number; readonly most: number },
): GoesOn {
  const until = performance.now() + seconds * 1000;
  return (done) => done < least || (done < most && performance.now() < until);
}
