// Previews and rehearsals at work: what an archive would bring, and whether it can be loaded.
import { randomBytes, randomUUID } from "node:crypto";
import type { Core, Opened } from "../../feature/index.ts";
import { Spool, type Uploads } from "../../uploads/index.ts";
import type { BackupFolder } from "../stored/backup-folder.ts";
import type { BackupOutcomes } from "../stored/outcomes.ts";
import { loadRoutes } from "./load.routes.ts";
import { receiverOf } from "./receiver.ts";
import { Rehearsals } from "./rehearsals.ts";

export interface LoadParts {
  readonly folder: BackupFolder;
  readonly outcomes: BackupOutcomes;
  readonly uploads: Uploads;
}

export function openLoad(core: Core, { folder, outcomes, uploads }: LoadParts) {
  const { alone, clock, environment, undo } = core;
  const { dataDirectory: scratch, databaseUrl } = environment;
  const receiver = () => receiverOf({ ...core, epoch: randomUUID });
  const record = outcomes.recordRehearsal;
  const rehearsals = new Rehearsals({ folder, databaseUrl, scratch, receiver, record, clock, random: randomBytes });
  undo.push(() => rehearsals.stop());
  return {
    rehearsals,
    opened: {
      routes: loadRoutes({ folder, uploads, spool: new Spool(scratch), receiver, scratch, rehearsals }),
      prepare: () => rehearsals.sweep(alone),
    } satisfies Opened,
  };
}
