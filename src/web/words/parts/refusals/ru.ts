// What the panel refuses, in Russian.
import { plural } from "../../../format/plural.ts";
import type { Typed } from "../../language.ts";
import type { refusals as english } from "./en.ts";

const characters = (n: number) =>
  plural("ru", n, { one: `${n} символ`, few: `${n} символа`, many: `${n} символов`, other: `${n} символа` });
const entries = (n: number) => plural("ru", n, { one: `${n} запись`, few: `${n} записи`, many: `${n} записей`, other: `${n} записи` });

export const refusals: Typed<typeof english> = {
  rules: {
    host: "Укажите имя хоста или IP-адрес, без порта",
    client_addresses: "Укажите адреса или метка|адрес через запятую",
    control_characters: "Переносы строк и управляющие символы здесь не подходят",
    direction_characters: "Символы, меняющие направление текста, здесь не подходят",
    whole_number: "Введите целое число",
    username: "От 1 до 64 латинских букв, цифр или знаков . _ - @",
    password_is_username: "Пароль не должен совпадать с именем пользователя",
    base_path: "Введите /имя без косой черты в конце или оставьте пустым",
    dot_segments: "Части пути не могут быть . или ..",
    ip_address: "Введите IP-адрес",
    time_zone: "Выберите часовой пояс, например Europe/Moscow",
    absolute_path: "Введите путь, который начинается с /",
    http_url: "Введите адрес, который начинается с http:// или https://",
    chat: "Введите числовой ID чата или @username",
    email: "Введите адрес электронной почты",
    phone: "Введите номер телефона",
    uuid: "Введите UUID",
    no_template: "Такого шаблона больше нет",
    forbidden_key: "Здесь это задавать нельзя",
    private_target: "Локальный или частный адрес сюда не подходит",
    required: "Это нужно заполнить",
    type: "Значение такого вида сюда не подходит",
    empty: "Это поле не может быть пустым",
    too_short: (least) => `Не меньше: ${characters(least)}`,
    too_long: (most) => `Не больше: ${characters(most)}`,
    too_small: (least) => `Не меньше ${least}`,
    too_large: (most) => `Не больше ${most}`,
    too_few: (least) => `Нужно не меньше: ${entries(least)}`,
    too_many: (most) => `Не больше: ${entries(most)}`,
    between: (low, high) => `Введите целое число от ${low} до ${high}`,
    length: (low, high) => `От ${low} до ${high} символов`,
    choice: "Выберите одно из предложенных значений",
    unknown: (names) => `Панель не знает ${names}`,
  },
  codes: {
    account_expired: "Срок действия этой учётной записи истёк.",
    address_refused: "С этого адреса вход запрещён.",
    banned: "С этого адреса было слишком много неудачных попыток. Подождите немного.",
    confirm: "Нужен новый код второго фактора.",
    cross_site: "Панель открыта не под своим именем. Откройте её по её собственному адресу.",
    idempotency_reuse: "Под этим же ключом был отправлен другой запрос. Попробуйте ещё раз.",
    in_progress: "Первая попытка ещё выполняется. Посмотрите чуть позже.",
    internal: "Это записано в журнал панели.",
    rate_limited: "За минуту запрошено больше, чем разрешено. Подождите немного.",
    request_timeout: "Запрос не дошёл вовремя. Возможно, связь медленная.",
    scope: "Роль этой учётной записи сюда не достаёт.",
    too_large: "Это больше, чем панель принимает за один раз.",
    unauthenticated: "Войдите ещё раз.",
    unavailable:
      "Панель сейчас не может ответить: она запускается, останавливается или её база данных недоступна. Попробуйте через минуту.",
    wrong_code: "Код неверен или уже использован.",
  },
};
