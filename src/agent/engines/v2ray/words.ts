// How v2ray's refusals read.
import { speakerFor } from "../rays/refusal.ts";

export const v2ray = speakerFor("v2ray");
export const { unserved, unservedWith, parsed } = v2ray;
