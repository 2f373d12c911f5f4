// A process that stages a database, or exchanges it at a start, to be killed at a system call.
import { stage, stagingPlace } from "../../../src/backups/restore/staging.ts";
import { swapStaged } from "../../../src/backups/restore/swap.ts";

const [, , what = "", directory = ""] = process.argv;
const url = `sqlite:${directory}/panel.db`;
if (what === "stage") await stage(stagingPlace(directory, url));
else swapStaged(directory, url);
