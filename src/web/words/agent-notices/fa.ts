// What an agent leaves out, or serves with less, in Persian, by the code of the notice.
import { engineName } from "../../../protocol/notices/catalogue.ts";
import type { AgentNoticeWords } from "../../../protocol/notices/index.ts";
import { ltr } from "../isolate.ts";

const digits = new Intl.NumberFormat("fa-IR");
const counted = (count: number): string => digits.format(count);
const port = (number: number): string => ltr(String(number));
const named = (engine: string): string => (engine === "embedded" ? "موتور درونی" : ltr(engineName(engine)));
const others = (by: string): string => (by === "" ? "" : ` این‌ها می‌توانند: ${by.split(",").map(named).join("، ")}.`);
const users = (shown: string, more: number): string =>
  `کاربران ${ltr(shown)}${more > 0 ? ` و ${counted(more)} نفر دیگر` : ""}`;
const list = (names: readonly string[]): string => ltr(names.join(", "));
const MAP = `نقشهٔ درگاه‌ها ${ltr("nft")} و ${ltr("CAP_NET_ADMIN")} می‌خواهد`;
const UNGUARDED = `برای بستن آن، هسته ${ltr("nft")} و ایجنت ${ltr("CAP_NET_ADMIN")} می‌خواهد`;

export const agentNotices: AgentNoticeWords = {
  unserved: (engine, what, by) => `${named(engine)} از ${ltr(what)} پشتیبانی نمی‌کند.${others(by)}`,
  unserved_with: (engine, what, together, by) =>
    `${named(engine)} از ${ltr(what)} همراه ${ltr(together)} پشتیبانی نمی‌کند.${others(by)}`,
  unserved_action: (engine, action, by) => `${named(engine)} کنش ${ltr(action)} را نمی‌شناسد.${others(by)}`,
  unserved_outbound_type: (type, by) =>
    `موتور درونی از نوع ${ltr(type)} پشتیبانی نمی‌کند؛ آنچه به آن برود رد می‌شود.${others(by)}`,
  upstream_tls: `موتور درونی از پراکسی بالادست روی TLS پشتیبانی نمی‌کند؛ آنچه به آن برود رد می‌شود.`,
  socks_version: `فقط SOCKS نسخهٔ ۵ پشتیبانی می‌شود. نسخه‌های ۴ و ${ltr("4a")} را ${ltr("sing-box")} دارد.`,
  invalid: (path, why) => `${ltr(path)} نادرست است: ${ltr(why)}`,
  malformed: (path, value, form) => `${ltr(path)}: مقدار ${ltr(value)} به شکل ${ltr(form)} نیست`,
  missing: (path) => `${ltr(path)} نیست`,
  replaced: (path, instead) => `${ltr(path)} از گویش قدیمی است. به جای آن: ${ltr(instead)}`,
  removed: (path) => `${ltr(path)} از ${ltr("sing-box")} برداشته شده است`,
  panels_own: (path) => `${ltr(path)} را خود پنل تنظیم می‌کند`,
  tag_twice: "برچسب دو بار به کار رفته است",
  port_twice: (number, tag) => `درگاه ${port(number)} را ورودی ${ltr(tag)} گرفته است`,
  own_tag: `برچسب‌هایی که با ${ltr("signalbox.")} آغاز شوند از آنِ ایجنت‌اند`,
  no_certificate: "TLS روشن است، اما گواهی و کلید نیست",
  not_pem: (paths) => `باید PEM باشد: ${ltr(paths)}`,
  other_key: `${ltr("tls.key")} به ${ltr("tls.certificate")} نمی‌خورد`,
  not_key: (path, method, bytes) =>
    `${ltr(path)} باید کلید ${ltr(method)} باشد: ${ltr("base64")} از ${counted(bytes)} بایت`,
  needs_tls: (what) => `${ltr(what)} به TLS نیاز دارد`,
  takes_no_tls: (what) => `${ltr(what)} نه TLS می‌پذیرد و نه ترابری`,
  no_reality: (what) => `REALITY روی ${ltr(what)} وجود ندارد`,
  flow_needs_tls: `${ltr("flow")} فقط با TLS یا REALITY و بی ترابری کار می‌کند`,
  unchecked_certificate:
    `Xray به سروری که گواهی‌اش را نتواند بسنجد وصل نمی‌شود: ${ltr("tls.certificate")} را بدهید. ` +
    `${ltr("sing-box")} از ${ltr("tls.insecure")} پیروی می‌کند.`,
  needs_build: (what, tag) => `${ltr(what)} نیاز به ${ltr("sing-box")} ساخته‌شده با ${ltr(tag)} دارد`,
  no_users: (what) => `${ltr(what)} کاربر نمی‌شناسد، پس کسی را نمی‌توان شمرد یا خاموش کرد`,
  shadowtls_version: `${ltr("version")}: فقط نسخهٔ ۳ از ${ltr("shadowtls")} کاربر می‌شناسد`,
  shadowtls_detour: `${ltr("detour")}: ورودی‌ای که ${ltr("shadowtls")} اتصال‌هایش را می‌برد نیست`,
  slash_in_service: `${ltr("transport.service_name")} که با خط کج آغاز شود در Xray مسیر دیگری است`,
  direct_target: `${ltr("override_address")} نیست: Xray نمی‌داند اتصال‌ها کجا بروند`,
  names_unserved: (path, tag) => `${ltr(path)}: ${ltr(tag)} سرویس داده نمی‌شود`,
  names_nothing: (path, tag) => `${ltr(path)}: ${ltr(tag)} وجود ندارد`,
  outbound_unserved: (outbound) => `خروجی ${ltr(outbound)} سرویس داده نمی‌شود؛ آنچه با قاعده بخورد رد می‌شود`,
  final_unserved: (outbound) =>
    `خروجی ${ltr(outbound)} در ${ltr("final")} سرویس داده نمی‌شود؛ آنچه با هیچ قاعده‌ای نخورد رد می‌شود`,
  no_outbound: (tag) => `خروجی ${ltr(tag)} نیست؛ آنچه به آن برود رد می‌شود`,
  loops: "به خودش برمی‌گردد",
  no_choice: `${ltr("outbounds")}: هیچ‌کدام سرویس داده نمی‌شود`,
  nothing_to_choose: `${ltr("outbounds")}: چیزی برای گزینش نیست`,
  rule_unserved: (rule, why) => `موتور درونی از قاعدهٔ ${counted(rule)} پشتیبانی نمی‌کند (${ltr(why)}).`,
  matches_all: `قاعده با همه‌چیز می‌خورد؛ جای آن ${ltr("final")} است`,
  matches_nothing: (engine) => `${named(engine)} از قاعدهٔ بی‌نام پشتیبانی نمی‌کند`,
  rule_set_kind: (engine, tag) =>
    `${named(engine)} از مجموعهٔ ${ltr(tag)} که ${ltr("inline")} نیست پشتیبانی نمی‌کند.${others("sing-box")}`,
  named_twice: (engine, field) =>
    `${named(engine)} از قاعده‌ای که ${ltr(field)} دو بار در آن بیاید پشتیبانی نمی‌کند.${others("sing-box")}`,
  many_alternatives: (engine) => `${named(engine)} از قاعده‌ای با این همه شاخه پشتیبانی نمی‌کند.${others("sing-box")}`,
  engine_refused: (why) => `موتور نپذیرفت: ${ltr(why)}`,
  not_for_nodes: (...paths) => `روی گره‌ها نمی‌توان تنظیم کرد: ${list(paths)}`,
  type_not_for_nodes: (type) => `نوع ${ltr(type)} برای گره‌ها نیست`,
  private_target: (...paths) => `به نشانی خصوصی می‌رسد که اینجا بسته است: ${list(paths)}`,
  no_engine: "گره موتوری ندارد",
  port_taken: (number, holder) =>
    holder === ""
      ? `درگاه ${port(number)} را برنامهٔ دیگری گرفته است (با root: ${ltr(`ss -ltunp 'sport = :${number}'`)})`
      : `درگاه ${port(number)} را برنامهٔ دیگری گرفته است: ${ltr(holder)}`,
  port_denied: (number) => `درگاه ${port(number)} بی ${ltr("CAP_NET_BIND_SERVICE")} باز نمی‌شود`,
  no_address: (address) => `${ltr(address)} نشانی این سرور نیست`,
  ignored: (engine, path, by) => `${named(engine)} از ${ltr(path)} استفاده نمی‌کند.${others(by)}`,
  system_resolver: (engine) => `${named(engine)} نام‌ها را از سیستم می‌پرسد؛ ${ltr("dns")} به کار نمی‌رود`,
  no_resolver: `${ltr("default_domain_resolver")} سرور DNS ندارد؛ نام‌ها از سیستم پرسیده می‌شوند`,
  asked_directly: (outbound) => `خروجی ${ltr(outbound)} سرویس داده نمی‌شود؛ سرورش مستقیم پرسیده می‌شود`,
  log_kept: `${ltr("sing-box")} فقط در گزارش می‌گوید اتصال از کیست؛ پس ${ltr("log")} همان می‌ماند که ایجنت می‌خواند`,
  multiplex_off: (engine) => `${named(engine)} چندگانه‌سازی ندارد؛ کاربران باید خاموشش کنند`,
  upstream_multiplex_off: `Xray چندگانه‌سازی سرورهای ${ltr("sing-box")} را ندارد؛ خاموش شده است`,
  early_data: `Xray دادهٔ زودهنگام را فقط در ${ltr("Sec-WebSocket-Protocol")} می‌گیرد؛ کاربران باید خاموشش کنند`,
  anonymous: (engine, protocol) =>
    `${named(engine)} نمی‌گوید اتصال روی ${ltr(protocol)} از کیست: اتصال‌های باز در فهرست نیستند، ` +
    "و با کاربر حذف‌شده همهٔ اتصال‌های این ورودی قطع می‌شوند. موتور درونی جدایشان می‌کند.",
  tcp_alone: (engine, protocol) =>
    `${named(engine)} UDP را بی‌شمارش می‌گذراند؛ پس ${ltr(protocol)} فقط TCP می‌برد. موتور درونی هر دو را دارد.`,
  uncounted: "اتصال‌هایش از کسی نیستند و به حساب هیچ کاربری نمی‌آیند",
  counted_late: `با ${ltr("flow")}، Xray دانلود کاربران ${ltr("vision, socks, http")} را پس از پایان اتصال می‌شمارد`,
  alpn_made: (engine, alpn) => `${ltr("tls.alpn")} اینجا برای ${named(engine)} باید ${ltr(alpn)} باشد و چنین شد`,
  httpupgrade_loses:
    `سرور ${ltr("httpupgrade")} در ${ltr("sing-box")} برخی اتصال‌های تازه را از دست می‌دهد (تا ۴ از ۱۰۰). ` +
    `Xray و ${ltr("ws")} چنین نیستند.`,
  grpc_unclosable: `این ${ltr("sing-box")} با ${ltr("with_grpc")} ساخته شده؛ تک‌اتصال‌های grpc را نمی‌توان بست`,
  udp_source: `روی سروری با چند نشانی، ${ltr("listen")} باید نشانی کاربران باشد؛ وگرنه پاسخ UDP از نشانی دیگری می‌رود`,
  counted_elsewhere: "کاربران را ورودی‌ای که اتصال‌ها به آن سپرده می‌شوند جدا می‌کند و می‌شمارد",
  group_fixed: (engine, type, tag, member) =>
    `${named(engine)} گروه‌های ${ltr(type)} را عوض نمی‌کند؛ برای ${ltr(tag)} از ${ltr(member)} استفاده می‌شود.`,
  group_alike: (tag, stranger, member) =>
    `Xray ${ltr(stranger)} را هم عضو می‌گرفت، چون برچسبش همسان آغاز می‌شود؛ برای ${ltr(tag)} از ${ltr(member)} استفاده می‌شود.`,
  one_probe: (url, ...tags) => `Xray همهٔ گروه‌ها (${list(tags)}) را با یک نشانی می‌سنجد: ${ltr(url)}`,
  choice_unserved: (choice) => `گزینهٔ ${ltr(choice)} سرویس داده نمی‌شود؛ آنچه به آن برود رد می‌شود`,
  choices_left_out: (...tags) => `سرویس داده نمی‌شوند و از گزینه‌ها کنار رفتند: ${list(tags)}`,
  rule_set_fetched: `در هر آغاز دانلود می‌شود و بی دسترسی کار نمی‌کند؛ مجموعهٔ ${ltr("inline")} همیشه هست.`,
  counted_together: (engine, ...tags) =>
    `${named(engine)} کاربران ورودی‌های ${list(tags)} را با هم می‌شمارد؛ ترافیک زیر ${ltr(tags[0] ?? "")} می‌آید`,
  key_search: (count) =>
    `هر اتصال کلید تا ${counted(count)} کاربر را می‌آزماید؛ ` +
    `${ltr("2022-blake3-aes-128-gcm")} و ${ltr("2022-blake3-aes-256-gcm")} کاربر را بی‌درنگ می‌یابند.`,
  one_user: (engine) => `${named(engine)} روی shadowsocks به یک کاربر سرویس می‌دهد: آن‌که کمترین id را دارد`,
  flow_unserved: (engine) => `${named(engine)} از ${ltr("flow")} کاربران پشتیبانی نمی‌کند؛ باید بی آن وصل شوند`,
  uuid_unusable: (shown, more, protocols) =>
    `${users(shown, more)}: uuid نادرست یا از آنِ دیگری است؛ روی این ورودی‌ها سرویس نمی‌گیرند: ${ltr(protocols)}`,
  password_unusable: (shown, more, protocols) =>
    `${users(shown, more)}: گذرواژه خالی یا از آنِ دیگری است؛ روی این ورودی‌ها سرویس نمی‌گیرند: ${ltr(protocols)}`,
  secret_unusable: (shown, more, secret, protocols) =>
    `${users(shown, more)}: ${ltr(secret)} نیست، نادرست یا از آنِ دیگری است؛ ` +
    `روی این ورودی‌ها سرویس نمی‌گیرند: ${ltr(protocols)}`,
  uuid_alike: (shown, more) =>
    `${users(shown, more)}: uuid فقط در بخش سوم با دیگری فرق دارد که Xray به آن نگاه نمی‌کند؛ روی vless سرویس نمی‌گیرند`,
  key_unusable: (shown, more, bytes, ...tags) =>
    `${users(shown, more)}: کلید shadowsocks، ${ltr("base64")} از ${counted(bytes)} بایت نیست؛ ` +
    `روی این ورودی‌ها سرویس نمی‌گیرند: ${list(tags)}`,
  flow_unknown: (shown, more) => `${users(shown, more)}: چنین ${ltr("flow")} در Xray نیست؛ باید بی آن وصل شوند`,
  uuid_malformed: (user) => `کاربر ${port(user)}: uuid نادرست است؛ vless به او سرویس نمی‌دهد`,
  ip_limit_unheld: `${ltr("ipLimit")} اینجا اجرا نمی‌شود: اتصال‌ها را نمی‌توان قطع کرد (${ltr("CAP_NET_ADMIN")})`,
  ip_limit_anonymous: `${ltr("ipLimit")} اینجا اجرا نمی‌شود: موتور نمی‌گوید اتصال از کیست`,
  ip_limit_udp: `${ltr("ipLimit")} روی UDP اجرا نمی‌شود: ${MAP}`,
  speed_limit_unheld: (count, why) =>
    `${counted(count)} کاربر محدودیت سرعت دارند که اینجا اجرا نمی‌شود (${ltr(why)})؛ موتور درونی اجرایش می‌کند.`,
  speed_limit_anonymous: (count) =>
    `${counted(count)} کاربر محدودیت سرعت دارند که اینجا اجرا نمی‌شود: اتصال‌ها جداشدنی نیستند.`,
  speed_limit_partly: (count, ...tags) =>
    `${counted(count)} کاربر محدودیت سرعت دارند که روی UDP و جایی که موتور صاحب اتصال را نمی‌گوید اجرا نمی‌شود: ${list(tags)}`,
  removed_stay: `اتصال‌های باز کاربر حذف‌شده را نمی‌توان قطع کرد (${ltr("CAP_NET_ADMIN")})؛ تا پایان می‌مانند`,
  change_cuts: (...tags) => `تغییر یکی از ورودی‌های ${list(tags)} اتصال‌هایش را قطع می‌کند: ${MAP}`,
  every_change_cuts: (...tags) => `هر تغییر اتصال‌های ورودی‌های ${list(tags)} را قطع می‌کند: ${MAP}`,
  udp_first_target: `روی UDP، سوکت کاربر فقط به نخستین مقصد می‌رسد: ${MAP}`,
  names_reach_private: (engine) =>
    `${named(engine)} نام را دوباره می‌پرسد؛ پس نامی با پاسخ‌های متغیر به نشانی خصوصی می‌رسد. ${UNGUARDED}`,
  names_reach_engine: (engine) =>
    `${named(engine)} نام را دوباره می‌پرسد؛ پس نامی با پاسخ‌های متغیر به رابط موتور می‌رسد. ${UNGUARDED}`,
  disk_refuses_state: "دیسک گره پیکربندی را نمی‌نویسد: پس از بازآغاز، پیکربندی قدیمی اجرا می‌شود",
  disk_refuses_ledger: "دیسک گره دفتر مصرف را نمی‌نویسد: ترافیک فقط در حافظه شمرده می‌شود",
  disk_refuses_fence: "دیسک گره نشان پنل را نمی‌نویسد: پس از بازآغاز، فرایند قدیمی پنل شاید راه یابد",
  disk_refuses_engine: "دیسک گره وضعیت موتور را نمی‌نویسد: اگر ایجنت اکنون کشته شود موتور بازآغاز می‌شود",
};
