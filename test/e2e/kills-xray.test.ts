// Kills during traffic with xray; see `kills/kills-test.ts`.
import { testKills } from "./kills/kills-test.ts";

testKills("xray");
