// The words of all features by their use, in Chinese. Written from the folders by `npm run words`.
import type { ActionWords } from "../../../http/audit.schema.ts";
import type * as english from "../features/en.ts";
import * as translated from "../features/zh.ts";
import type { Typed } from "../language.ts";
import { merged } from "../merged.ts";

/** Words that English has and this language lacks do not compile. */
const features: Typed<typeof english> = translated;

/** Titles of pages. */
export const titles = merged(features, "titles");
/** What settings are called. */
export const settingLabels = merged(features, "settingLabels");
/** What families of events are about. */
export const families = merged(features, "families");
/** What each event of the catalogue says, next to the name of its subject. */
export const raised = merged(features, "raised");
/** The same by the `reason` of the event. */
export const raisedFor = merged(features, "raisedFor");
/** What the audit log calls the records that changes are about. */
export const subjects = merged(features, "subjects");
/** What the areas of permissions are called: the part of a scope before its colon. */
export const scopeAreas = merged(features, "scopeAreas");
/** What was done, as the audit log names it. */
export const actions: ActionWords = merged(features, "actions");
/** What the names of charts mean, by kind of actor. */
export const actors = merged(features, "actors");
/** Refusals that say no more than their code. */
export const refusals = merged(features, "refusals");
/** Why a value is refused, by the code of the rule that it breaks. */
export const rules = merged(features, "rules");
