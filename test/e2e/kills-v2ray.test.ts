// Kills during traffic with v2ray; see `kills/kills-test.ts`.
import { testKills } from "./kills/kills-test.ts";

testKills("v2ray");
