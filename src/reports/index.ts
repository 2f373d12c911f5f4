// What the panel uses of reports.
export { feature } from "./feature.ts";
