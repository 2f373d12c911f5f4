// Words that come with the page that needs them, in English, area by area.
import { access } from "../access/en.ts";
import { audit } from "../audit/en.ts";
import { events } from "../events/en.ts";
import { nodes } from "../nodes/en.ts";
import { pool } from "../pool/en.ts";
import { security } from "../security/en.ts";
import { settings } from "../settings/en.ts";
import { webhooks } from "../webhooks/en.ts";

export const later = { access, audit, events, nodes, pool, security, settings, webhooks };
