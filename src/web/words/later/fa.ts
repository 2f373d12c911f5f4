// Words that come with the page that needs them, in Persian, area by area.
import { access } from "../access/fa.ts";
import { audit } from "../audit/fa.ts";
import { events } from "../events/fa.ts";
import { nodes } from "../nodes/fa.ts";
import { pool } from "../pool/fa.ts";
import { security } from "../security/fa.ts";
import { settings } from "../settings/fa.ts";
import { webhooks } from "../webhooks/fa.ts";
import type { LaterWords } from "../language.ts";

export const later: LaterWords = { access, audit, events, nodes, pool, security, settings, webhooks };
