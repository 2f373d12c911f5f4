// All words in Chinese, area by area.
import type { Words } from "./language.ts";
import { shell } from "./shell/zh.ts";
import { session } from "./session/zh.ts";
import { me } from "./me/zh.ts";
import { parts } from "./parts/zh.ts";
import { users } from "./users/zh.ts";
import { nodes } from "./nodes/zh.ts";
import { pool } from "./pool/zh.ts";
import { reference } from "./reference/zh.ts";
import { overview } from "./overview/zh.ts";
import { inspect } from "./inspect/zh.ts";
import { events } from "./events/zh.ts";
import { webhooks } from "./webhooks/zh.ts";
import { audit } from "./audit/zh.ts";
import { security } from "./security/zh.ts";
import { settings } from "./settings/zh.ts";
import { chart } from "./chart/zh.ts";
import { meanings } from "./meanings/zh.ts";
import { messages } from "./messages/zh.ts";
import { notices } from "./notices/zh.ts";
import { raised } from "./raised/zh.ts";
import { actions } from "./actions/zh.ts";
import { problems } from "./problems/zh.ts";

export const zh: Words = {
  shell,
  session,
  me,
  parts,
  users,
  nodes,
  overview,
  pool,
  reference,
  inspect,
  events,
  webhooks,
  audit,
  security,
  settings,
  chart,
  meanings,
  messages,
  notices,
  raised,
  actions,
  problems,
};
