// Every rule that a value can break: its code, the values that go with the code, and the English sentence that is made
// of them.
//
// Programs and pages use code and values; the sentence is for people. Pages have a text for each code in four
// languages, and do not compile without it.

const list = (items: readonly (string | number)[]): string => items.join(", ");
const plural = (count: number, one: string, several = `${one}s`): string => `${count} ${count === 1 ? one : several}`;

export const RULES = {
  // Any value.
  required: (expected: string) => `is needed: ${expected}`,
  type: (expected: string) => `must be of the type ${expected}`,
  choice: (...choices: (string | number)[]) => `must be one of ${list(choices)}`,
  choices: (...choices: (string | number)[]) => `must be values of ${list(choices)}, separated by commas`,
  unknown: (...names: string[]) => `is not known: ${list(names)}`,
  unfit: "is not valid",
  absent: (what: string, name: string | number) => `there is no ${what} ${name}`,
  gone: "was deleted meanwhile",
  taken_by: (name: string) => `${name} has it already`,
  fixed: "cannot be changed",
  needed_with: (what: string) => `is needed with ${what}`,
  not_with: (what: string) => `cannot be combined with ${what}`,
  needs: (what: string) => `needs ${what}`,
  repeated: "must not name one thing twice",
  // Size.
  empty: "must not be empty",
  too_short: (least: number) => `must have at least ${plural(least, "character")}`,
  too_long: (most: number) => `must have at most ${plural(most, "character")}`,
  length: (least: number, most: number) => `must have ${least} to ${most} characters`,
  too_small: (least: number) => `must be at least ${least}`,
  too_large: (most: number) => `must be at most ${most}`,
  between: (least: number, most: number) => `must be a whole number from ${least} to ${most}`,
  too_few: (least: number) => `must have at least ${plural(least, "entry", "entries")}`,
  too_many: (most: number) => `must have at most ${plural(most, "entry", "entries")}`,
  too_few_bytes: (least: number) => `must be at least ${plural(least, "byte")}`,
  too_many_bytes: (most: number) => `must have at most ${plural(most, "byte")}`,
  too_deep: (most: number) => `must not be nested deeper than ${plural(most, "level")}`,
  whole_number: "must be a whole number",
  size: "must be bytes, or a size such as 50GB",
  date: "must be Unix seconds, or a date such as 2026-12-31 or 1405/10/10",
  cut_digits: "a spreadsheet cut its digits: show the column as whole numbers there, and save it again",
  empty_limit: "is empty: write 0 for unlimited, or say that empty cells are unlimited",
  // Text.
  control_characters: "must not contain control characters",
  direction_characters: "must not contain characters that turn the direction of text",
  unstorable_text: "must not contain NUL characters",
  edge_spaces: "must not begin or end with white space",
  username: "must be 1 to 64 letters, digits, '.', '_', '-' or '@'",
  password_is_username: "must not be the username",
  slug: "must be a slug of a-z, 0-9, _ and -",
  sub_id: "must have 1 to 64 letters, digits, _ or -",
  chat: "must be a numeric chat id or an @username",
  name_pattern: "must be a pattern with {n}, {n:4} or {rand:6}, so that no two names are the same",
  email: "must be an e-mail address",
  phone: "must be a phone number",
  uuid: "must be a UUID",
  id: "must be an id",
  entity: "must be a kind and an id such as user:7",
  days: "must be day counts separated by commas, 0 or empty",
  duration: "must be a duration such as 300ms, 30s, 1m",
  time_zone: "must be an IANA zone name",
  in_past: "must be in the future",
  time_range: (year: number, unit: string, date: string) =>
    `Unix seconds are expected: as seconds it is the year ${year}, as ${unit} it is ${date}`,
  span_range: (days: number) => `at most a century, in seconds: it is ${plural(days, "day")}`,
  not_started: "the account has not started: its end follows from its first use",
  // Addresses and paths.
  host: "must be a host name or an IP address",
  client_addresses: "must be addresses or label|address, separated by commas",
  ip_address: "must be an IP address",
  address_range: (entry: string) => `${entry} is not an IP address or CIDR`,
  domain: (entry: string) => `${entry} is not a domain`,
  listen_place: (entry: string) => `${entry} is not host:port`,
  cannot_listen: (place: string, code: string) => `the panel cannot listen on ${place} (${code})`,
  http_url: "must be an absolute http(s) URL",
  https_url: "must be an https URL unless webhook_allow_private is true",
  url_credentials: "must not carry a user name or password",
  unresolved: (host: string) => `${host} does not resolve`,
  private_target: "must not be a loopback or private address",
  redirect_uri: (...paths: string[]) => `must be this panel's ${paths.join(" or ")}`,
  base_path: "must be empty or /segment[/segment…] without a slash at the end",
  dot_segments: "must not contain the segments . and ..",
  shared_path: (path: string, own: string) => `subscriptions under ${path} would take the panel's own ${own}`,
  absolute_path: "must be an absolute path",
  directory: "must be an existing directory",
  root_directory: "must not be the root",
  panel_place: (place: string) => `would publish the panel's own ${place}: name another directory`,
  missing_file: (path: string) => `${path} does not exist`,
  unreadable: (path: string, code: string) => `${path} cannot be read (${code})`,
  no_file: (path: string) => `${path} is no file of at most 1 MiB`,
  no_certificate: (path: string) => `${path} holds no PEM certificate`,
  no_private_key: (path: string) => `${path} holds no PEM private key without a passphrase`,
  other_certificate_key: (keyFile: string, certFile: string) =>
    `${keyFile} is not the key of the certificate in ${certFile}`,
  unservable: (path: string) => `${path} cannot be served over TLS`,
  // Access.
  outranks: "the role outranks the owner's",
  outside_tier: (scope: string, tier: string) => `${scope} is outside the tier ${tier}`,
  oauth_scopes: "must be scopes separated by single spaces",
  openid: "must contain openid",
  subject_field: "must be a field such as id or data.id",
  issuer: "must be the issuer alone, without /.well-known/, query or fragment",
  reseller: "must name a reseller",
  event_filter: "must be the name of an event or a family such as user.*",
  tiles: "must be at most 64 keys of a-z, 0-9 and -",
  // Keys and certificates.
  hex: (most: number) => `must be up to ${most} hex digits, an even number of them`,
  sha256: "must be a SHA-256 in hex",
  base64: (bytes: number) => `must be base64 of ${bytes} bytes`,
  x25519_key: "must be an X25519 private key: base64url of 32 bytes",
  rsa_key: "must be a PEM of an RSA public key",
  certificate_chain: "must be a certificate chain in PEM",
  private_key: "must be an unencrypted private key in PEM",
  other_key: "does not belong to the certificate",
  // Configuration of engines.
  forbidden_key: "is not among the keys and values that configuration may hold",
  deprecated: (instead: string) => `is deprecated: use ${instead}`,
  removed: "was removed from the engines",
  panel_fills: "is filled in by the panel for each node: leave it out",
  other_record: (key: string, value: string) => `differs from the ${key} of the record (${value}): leave it out`,
  no_template: "there is no such template",
  not_carried: (tag: string) => `names the outbound "${tag}", which the template does not carry`,
  no_front: (tag: string) =>
    `the inbound ${tag} cannot be behind a front: only ws, httpupgrade, grpc and xhttp can, and none with REALITY`,
  no_layer: (what: string, layer: string) => `${what} has no ${layer}`,
  needs_tls: (what: string) => `${what} needs TLS`,
  version_order: (least: string) => `is below tls.min_version (${least})`,
  needs_tls13: (what: string) => `${what} needs TLS 1.3`,
  vision: "works only with TLS or REALITY and without a transport",
  single_user: (method: string) => `${method} has no users of its own in any engine: choose another method`,
  server_key: (method: string, bytes: number) => `must be the server key of ${method}: base64 of ${bytes} bytes`,
  masquerade: "must be an https URL, or an object of type proxy or string",
  // Actors.
  own_event: (type: string) => `${type} is the chart's own event`,
} as const;

export type RuleCode = keyof typeof RULES;

type Values<Sentence> = Sentence extends (...values: infer V) => string ? V : [];
/** What goes with a code: bounds, choices, names. */
export type RuleValues<C extends RuleCode> = Values<(typeof RULES)[C]>;

/** Rules that are told in the same words whatever their values are. */
type PlainlyTold = "required" | "type" | "choice";

/** Words of a language for every rule; a rule without words does not compile. */
export type RuleWords = {
  readonly [C in RuleCode]: C extends PlainlyTold
    ? string
    : RuleValues<C> extends []
      ? string
      : (...values: RuleValues<C>) => string;
};
