// How long and how often the benches measure: in full, or `BENCH_QUICK=1` for a look at whether they work.

/** Quick runs say nothing that may be quoted. */
export const QUICK = process.env["BENCH_QUICK"] === "1";

/** Runs of which the median is printed. At least three, unless `BENCH_RUNS` says otherwise. */
export const RUNS = Number(process.env["BENCH_RUNS"] ?? 3);

/** The first in full, the second in a quick look. */
export const extent = <T>(full: T, quick: T): T => (QUICK ? quick : full);

/** Milliseconds of one closed loop. */
export const LOOP_MS = extent(2000, 300);
