// What an agent leaves out, or serves with less, in Russian, by the code of the notice.
import { engineName } from "../../../protocol/notices/catalogue.ts";
import type { AgentNoticeWords } from "../../../protocol/notices/index.ts";

const named = (engine: string): string => (engine === "embedded" ? "встроенный движок" : engineName(engine));
const Named = (engine: string): string => (engine === "embedded" ? "Встроенный движок" : engineName(engine));
const listed = (by: string): string => by.split(",").map(named).join(", ");
const others = (by: string): string => (by === "" ? "" : ` Умеют: ${listed(by)}.`);
const users = (shown: string, more: number): string => `Пользователи ${shown}${more > 0 ? ` и ещё ${more}` : ""}`;
const ticked = (paths: readonly string[]): string => paths.map((path) => `\`${path}\``).join(", ");
const MAP = "карте портов нужны nft и CAP_NET_ADMIN";

export const agentNotices: AgentNoticeWords = {
  unserved: (engine, what, by) => `${Named(engine)} не обслуживает ${what}.${others(by)}`,
  unserved_with: (engine, what, together, by) =>
    `${Named(engine)} не обслуживает ${what} вместе с ${together}.${others(by)}`,
  unserved_action: (engine, action, by) => `${Named(engine)} не знает действия ${action}.${others(by)}`,
  unserved_outbound_type: (type, by) =>
    `Встроенный движок не обслуживает тип ${type}; что идёт туда, отклоняется.${others(by)}`,
  upstream_tls: "Встроенный движок не ходит к прокси через TLS; что идёт туда, отклоняется. Умеют: sing-box, Xray.",
  socks_version: "Обслуживается только SOCKS 5. Версии 4 и 4a умеет sing-box.",
  invalid: (path, why) => `\`${path}\` неверно: ${why}`,
  malformed: (path, value, form) => `\`${path}\`: «${value}» не имеет вида ${form}`,
  missing: (path) => `Нет \`${path}\``,
  replaced: (path, instead) => `\`${path}\` из старого диалекта. Вместо него: ${instead}`,
  removed: (path) => `\`${path}\` больше нет в sing-box`,
  panels_own: (path) => `\`${path}\` задаёт сама панель`,
  tag_twice: "Тег использован дважды",
  port_twice: (port, tag) => `Порт ${port} уже занят инбаундом ${tag}`,
  own_tag: "Теги на signalbox. принадлежат агенту",
  no_certificate: "TLS включён, но нет сертификата и ключа",
  not_pem: (paths) => `Нужен формат PEM: ${paths}`,
  other_key: "`tls.key` не подходит к `tls.certificate`",
  not_key: (path, method, bytes) => `\`${path}\` должен быть ключом для ${method}: base64 от ${bytes} байт`,
  needs_tls: (what) => `Без TLS не работает: ${what}`,
  takes_no_tls: (what) => `${what} не принимает ни TLS, ни транспорт`,
  no_reality: (what) => `REALITY не существует поверх ${what}`,
  flow_needs_tls: "`flow` работает только с TLS или REALITY и без транспорта",
  unchecked_certificate:
    "Xray не подключается к серверу, чей сертификат не может проверить: задайте `tls.certificate`. " +
    "`tls.insecure` понимает sing-box.",
  needs_build: (what, tag) => `Для ${what} нужен sing-box, собранный с тегом ${tag}`,
  no_users: (what) => `${what} не знает пользователей: никого нельзя ни посчитать, ни отключить`,
  shadowtls_version: "`version`: только версия 3 shadowtls знает пользователей",
  shadowtls_detour: "`detour`: нет инбаунда, чьи соединения несёт shadowtls",
  slash_in_service: "`transport.service_name` с косой черты означает в Xray другой путь",
  direct_target: "Нет `override_address`: Xray не знает, куда вести соединения",
  names_unserved: (path, tag) => `\`${path}\`: «${tag}» не обслуживается`,
  names_nothing: (path, tag) => `\`${path}\`: «${tag}» не существует`,
  outbound_unserved: (outbound) => `Аутбаунд «${outbound}» не обслуживается; что подходит под правило, отклоняется`,
  final_unserved: (outbound) =>
    `Аутбаунд «${outbound}» из \`final\` не обслуживается; что не подходит ни под одно правило, отклоняется`,
  no_outbound: (tag) => `Аутбаунда ${tag} нет; что идёт туда, отклоняется`,
  loops: "Ведёт к самому себе",
  no_choice: "`outbounds`: ни один не обслуживается",
  nothing_to_choose: "`outbounds`: выбирать не из чего",
  rule_unserved: (rule, why) => `Встроенный движок не обслуживает правило ${rule} (${why}). Умеют: sing-box, Xray.`,
  matches_all: "Правило подходит ко всему; для этого есть `final`",
  matches_nothing: (engine) => `${Named(engine)} не обслуживает правило без имён`,
  rule_set_kind: (engine, tag) => `${Named(engine)} не обслуживает набор «${tag}»: он не inline. Умеет: sing-box.`,
  named_twice: (engine, field) => `${Named(engine)} не обслуживает правило, где \`${field}\` дважды. Умеет: sing-box.`,
  many_alternatives: (engine) => `${Named(engine)} не обслуживает правило со столькими вариантами. Умеет: sing-box.`,
  engine_refused: (why) => `Движок отказал: ${why}`,
  not_for_nodes: (...paths) => `На узлах нельзя задавать: ${ticked(paths)}`,
  type_not_for_nodes: (type) => `Тип \`${type}\` не для узлов`,
  private_target: (...paths) => `Ведёт на закрытый здесь частный адрес: ${ticked(paths)}`,
  no_engine: "На узле нет движка",
  port_taken: (port, holder) =>
    holder === ""
      ? `Порт ${port} занят другой программой (от root её назовёт \`ss -ltunp 'sport = :${port}'\`)`
      : `Порт ${port} занят другой программой: ${holder}`,
  port_denied: (port) => `Порт ${port} недоступен без CAP_NET_BIND_SERVICE`,
  no_address: (address) => `У этого сервера нет адреса ${address}`,
  ignored: (engine, path, by) => `${Named(engine)} не использует \`${path}\`.${others(by)}`,
  system_resolver: (engine) => `${Named(engine)} разрешает имена системой; \`dns\` не используется`,
  no_resolver: "`default_domain_resolver` не называет сервера DNS; имена разрешает система",
  asked_directly: (outbound) => `Аутбаунд «${outbound}» не обслуживается; его сервер спрашивается напрямую`,
  log_kept: "Чьё соединение, sing-box говорит только в журнале, поэтому `log` остаётся таким, каким его читает агент",
  multiplex_off: (engine) => `${Named(engine)} не умеет мультиплексирование: клиенты должны его выключить`,
  upstream_multiplex_off: "Xray не знает мультиплексирования серверов sing-box; оно выключено",
  early_data: "Xray берёт ранние данные только в заголовке Sec-WebSocket-Protocol; клиенты должны их выключить",
  anonymous: (engine, protocol) =>
    `${Named(engine)} не говорит, чьё соединение на ${protocol}: открытых нет в списках, а с удалённым ` +
    "пользователем рвутся все соединения этого инбаунда. Различает встроенный движок.",
  tcp_alone: (engine, protocol) =>
    `${Named(engine)} передавал бы UDP без учёта, поэтому ${protocol} несёт только TCP. Оба умеет встроенный движок.`,
  uncounted: "Его соединения ничьи и никому не засчитываются",
  counted_late: "С `flow` Xray считает скачанное пользователями vision, socks и http, когда их соединение кончается",
  alpn_made: (engine, alpn) => `\`tls.alpn\` здесь для ${named(engine)} должен быть ${alpn}; так и сделано`,
  httpupgrade_loses:
    "Сервер httpupgrade в sing-box теряет часть новых соединений (до 4 из 100). У Xray и у ws этого нет.",
  grpc_unclosable: "Этот sing-box собран с with_grpc: отдельные соединения grpc нельзя закрыть",
  udp_source:
    "На сервере с несколькими адресами `listen` должен называть адрес клиентов: иначе ответы UDP идут с другого",
  counted_elsewhere: "Пользователей различает и считает инбаунд, которому передаются соединения",
  group_fixed: (engine, type, tag, member) =>
    `${Named(engine)} не переключает группы ${type}; вместо «${tag}» берётся «${member}». Умеет: sing-box.`,
  group_alike: (tag, stranger, member) =>
    `Xray принял бы «${stranger}» за участника: теги начинаются одинаково. Вместо «${tag}» берётся «${member}».`,
  one_probe: (url, ...tags) => `Xray меряет все группы (${tags.join(", ")}) по одному адресу: ${url}`,
  choice_unserved: (choice) => `Выбранный «${choice}» не обслуживается; что идёт туда, отклоняется`,
  choices_left_out: (...tags) => `Не обслуживаются и убраны из выбора: ${tags.join(", ")}`,
  rule_set_fetched: "Загружается при каждом запуске; где загрузить нельзя, не работает. Набор inline есть всегда.",
  counted_together: (engine, ...tags) =>
    `${Named(engine)} считает пользователей инбаундов ${tags.join(", ")} вместе; трафик записан за ${tags[0] ?? ""}`,
  key_search: (count) =>
    `На каждом соединении перебираются ключи пользователей: до ${count}. ` +
    "2022-blake3-aes-128-gcm и 2022-blake3-aes-256-gcm находят пользователя сразу.",
  one_user: (engine) => `${Named(engine)} обслуживает на shadowsocks одного пользователя, с наименьшим id`,
  flow_unserved: (engine) => `${Named(engine)} не обслуживает flow пользователей: им нужно подключаться без него`,
  uuid_unusable: (shown, more, protocols) =>
    `${users(shown, more)}: uuid неверен или чужой; не обслуживаются на ${protocols}`,
  password_unusable: (shown, more, protocols) =>
    `${users(shown, more)}: пароль пуст или чужой; не обслуживаются на ${protocols}`,
  secret_unusable: (shown, more, secret, protocols) =>
    `${users(shown, more)}: ${secret} отсутствует, неверен или чужой; не обслуживаются на ${protocols}`,
  uuid_alike: (shown, more) =>
    `${users(shown, more)}: uuid отличается от чужого только третьей группой, на которую Xray не смотрит; ` +
    "не обслуживаются на vless",
  key_unusable: (shown, more, bytes, ...tags) =>
    `${users(shown, more)}: ключ shadowsocks не base64 от ${bytes} байт; не обслуживаются на ${tags.join(", ")}`,
  flow_unknown: (shown, more) => `${users(shown, more)}: такого flow в Xray нет; подключаться нужно без него`,
  uuid_malformed: (user) => `Пользователь ${user}: uuid неверен; vless его не обслуживает`,
  ip_limit_unheld: "ipLimit здесь не действует: соединения нельзя оборвать (`ss -K` нужен CAP_NET_ADMIN)",
  ip_limit_anonymous: "ipLimit здесь не действует: движок не говорит, чьё соединение",
  ip_limit_udp: `ipLimit не действует по UDP: потоки нельзя оборвать (${MAP})`,
  speed_limit_unheld: (count, why) =>
    `Пользователей с ограничением скорости: ${count}. Здесь оно не действует (${why}); действует у встроенного движка.`,
  speed_limit_anonymous: (count) =>
    `Пользователей с ограничением скорости: ${count}. Здесь оно не действует: соединения не различить.`,
  speed_limit_partly: (count, ...tags) =>
    `Пользователей с ограничением скорости: ${count}. По UDP и где движок не говорит, чьё соединение, ` +
    `оно не действует: ${tags.join(", ")}`,
  removed_stay:
    "Открытые соединения удалённого пользователя нельзя оборвать (`ss -K` нужен CAP_NET_ADMIN): они живут до конца",
  change_cuts: (...tags) => `Изменение одного из инбаундов ${tags.join(", ")} рвёт его соединения: ${MAP}`,
  every_change_cuts: (...tags) => `Каждое изменение рвёт соединения инбаундов ${tags.join(", ")}: ${MAP}`,
  udp_first_target: `По UDP сокет клиента достаёт только первую цель: ${MAP}`,
  names_reach_private: (engine) =>
    `${Named(engine)} разрешает имя ещё раз, поэтому имя с меняющимися ответами достаёт частные адреса; ` +
    "чтобы закрыть это, ядру нужен nft, агенту CAP_NET_ADMIN",
  names_reach_engine: (engine) =>
    `${Named(engine)} разрешает имя ещё раз, поэтому имя с меняющимися ответами достаёт интерфейс движка; ` +
    "чтобы закрыть это, ядру нужен nft, агенту CAP_NET_ADMIN",
  disk_refuses_state: "Диск узла не принимает конфигурацию: после перезапуска он обслуживал бы старую",
  disk_refuses_ledger: "Диск узла не принимает журнал расхода: трафик считается только в памяти",
  disk_refuses_fence: "Диск узла не принимает метку панели: после перезапуска прежний процесс панели мог бы войти",
  disk_refuses_engine: "Диск узла не принимает состояние движка: убитый сейчас агент перезапустил бы движок",
};
