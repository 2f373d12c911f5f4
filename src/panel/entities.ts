// Every table of the panel: what migrations are made from and what a database is opened with.
import { PANEL } from "./features.ts";

export const { entities } = PANEL;
