// Rules that a value can break, by the code that an issue of a refusal carries beside its sentence: the sentence is English, and for whoever reads no code.

/** Rules that stand in the wire's schemas and in the features, by the sentence with which they refuse. `, or empty` behind it means the same rule. */
export const RULES = {
  host: "must be a host name or an IP address",
  client_addresses: "must be addresses or label|address, separated by commas",
  control_characters: "must not contain control characters",
  direction_characters: "must not contain characters that turn the direction of text",
  whole_number: "must be a whole number",
  username: "must be 1 to 64 letters, digits, '.', '_', '-' or '@'",
  password_is_username: "must not be the username",
  base_path: "must be empty or /segment[/segment…] without a slash at the end",
  dot_segments: "must not contain the segments . and ..",
  ip_address: "must be an IP address",
  time_zone: "must be an IANA zone name",
  absolute_path: "must be an absolute path",
  http_url: "must be an absolute http(s) URL",
  chat: "must be a numeric chat id or an @username",
  email: "must be an e-mail address",
  phone: "must be a phone number",
  uuid: "must be a UUID",
  no_template: "there is no such template",
  forbidden_key: "is not among the keys and values that configuration may hold",
  private_target: "must not be a loopback or private address",
} as const;

/** Rules with a measure: an issue's `values` are the bound, both bounds, or what may be chosen. */
type MeasuredRule =
  | "required"
  | "type"
  | "empty"
  | "too_short"
  | "too_long"
  | "too_small"
  | "too_large"
  | "too_few"
  | "too_many"
  | "between"
  | "length"
  | "choice"
  | "unknown";

export type RuleCode = keyof typeof RULES | MeasuredRule;
