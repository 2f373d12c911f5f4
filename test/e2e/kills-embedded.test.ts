// Kills during traffic with embedded; see `kills/kills-test.ts`.
import { testKills } from "./kills/kills-test.ts";

testKills("embedded");
