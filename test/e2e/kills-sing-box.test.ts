// Kills during traffic with sing-box; see `kills/kills-test.ts`.
import { testKills } from "./kills/kills-test.ts";

testKills("sing-box");
