// All words in Persian, area by area.
import type { Words } from "./language.ts";
import { shell } from "./shell/fa.ts";
import { session } from "./session/fa.ts";
import { me } from "./me/fa.ts";
import { parts } from "./parts/fa.ts";
import { users } from "./users/fa.ts";
import { nodes } from "./nodes/fa.ts";
import { pool } from "./pool/fa.ts";
import { reference } from "./reference/fa.ts";
import { overview } from "./overview/fa.ts";
import { inspect } from "./inspect/fa.ts";
import { events } from "./events/fa.ts";
import { webhooks } from "./webhooks/fa.ts";
import { audit } from "./audit/fa.ts";
import { security } from "./security/fa.ts";
import { settings } from "./settings/fa.ts";
import { chart } from "./chart/fa.ts";
import { meanings } from "./meanings/fa.ts";
import { messages } from "./messages/fa.ts";
import { notices } from "./notices/fa.ts";
import { raised } from "./raised/fa.ts";
import { actions } from "./actions/fa.ts";
import { problems } from "./problems/fa.ts";

export const fa: Words = {
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
