// A crash test from its first round to its report: epochs of a hundred rounds, each on a database of its own, so that
// thousands of rounds stay as quick as the first.
import { runEpoch, type EpochOptions, type EpochReport } from "./epoch.ts";
import { mix } from "./random.ts";
import type { GoesOn } from "./share.ts";

const EPOCH_ROUNDS = 100;

export interface CampaignReport {
  readonly rounds: number;
  readonly seconds: number;
  readonly kills: Readonly<Record<string, number>>;
  readonly warnings: Readonly<Record<string, number>>;
  readonly sent: number;
  readonly answered: number;
  /** Requests that were sent again under their key: without a first answer, and with one. */
  readonly repeated: number;
  readonly replayed: number;
  /** Records compared with their last answer: over HTTP and on disk. */
  readonly looked: number;
  readonly whole: number;
  readonly deliveries: number;
  readonly entries: number;
  readonly bytes: number;
}

export interface CampaignOptions extends Omit<EpochOptions, "goesOn"> {
  readonly goesOn: GoesOn;
}

/** Throws at the first promise that is not kept, naming round, seed and kill. */
export async function campaign(options: CampaignOptions): Promise<CampaignReport> {
  const begun = performance.now();
  const reports: EpochReport[] = [];
  let done = 0;
  for (let epoch = 0; options.goesOn(done); epoch++) {
    // The first epoch's seed is the campaign's own: what a failure names is what repeats it.
    const seed = epoch === 0 ? options.seed : mix(options.seed, epoch);
    const before = done;
    const goesOn: GoesOn = (rounds) => rounds < EPOCH_ROUNDS && options.goesOn(before + rounds);
    const report = await runEpoch({ ...options, goesOn, seed });
    reports.push(report);
    done += report.rounds;
    options.say(`${done} rounds on ${options.dialect}, ${Math.round((performance.now() - begun) / 1000)} s`);
  }
  const sum = (of: (report: EpochReport) => number) => reports.reduce((total, report) => total + of(report), 0);
  const total = (of: (report: EpochReport) => ReadonlyMap<string, number>) => {
    const totals = new Map<string, number>();
    for (const [name, times] of reports.flatMap((report) => [...of(report)]))
      totals.set(name, (totals.get(name) ?? 0) + times);
    return Object.fromEntries([...totals].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  };
  return {
    rounds: done,
    seconds: Math.round((performance.now() - begun) / 1000),
    kills: total(({ kills }) => kills),
    warnings: total(({ warnings }) => warnings),
    sent: sum(({ count }) => count.sent),
    answered: sum(({ count }) => count.answered),
    repeated: sum(({ count }) => count.repeated),
    replayed: sum(({ count }) => count.replayed),
    looked: sum(({ count }) => count.looked),
    whole: sum(({ whole }) => whole),
    deliveries: sum(({ deliveries }) => deliveries),
    entries: sum(({ entries }) => entries),
    bytes: sum(({ bytes }) => bytes),
  };
}
