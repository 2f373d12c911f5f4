// Words that come with the page that needs them, in Chinese, area by area.
import { access } from "../access/zh.ts";
import { audit } from "../audit/zh.ts";
import { events } from "../events/zh.ts";
import { nodes } from "../nodes/zh.ts";
import { pool } from "../pool/zh.ts";
import { security } from "../security/zh.ts";
import { settings } from "../settings/zh.ts";
import { webhooks } from "../webhooks/zh.ts";
import type { LaterWords } from "../language.ts";

export const later: LaterWords = { access, audit, events, nodes, pool, security, settings, webhooks };
