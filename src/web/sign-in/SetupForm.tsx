// The fields of setup. The panel validates; its refusals are shown at the fields that they name (`settings.<key>`).
import { Alert, Button, Group, Radio, Select, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { call, newKey } from "../api/call.ts";
import { Failure } from "../parts/Answer.tsx";
import { browserZone } from "../browser/preferences.ts";
import { nested, type Values } from "../parts/form/field.ts";
import { Password } from "../parts/form/Password.tsx";
import { choiceOf, PlacedForm, textOf } from "../parts/form/PlacedForm.tsx";
import { useRecordForm } from "../parts/form/record-form.ts";
import { chosenUrl, isLoopback, isProxied, nearbyUrl, proposedUrl } from "./setup-address.ts";
import { useAddressCheck } from "./use-address-check.ts";
import { useWords } from "../words/words.ts";
import type { Finished } from "./SetupDone.tsx";
import classes from "./setup.module.css";

const MODES = ["self_signed", "files", "none"] as const;
type Mode = (typeof MODES)[number];

/** The browser's own may be one that its list leaves out (UTC). */
const ZONES = [...new Set([browserZone(), ...Intl.supportedValuesOf("timeZone")])];

/** As the panel takes them, but for the address: null as it is proposed, a text as it was typed. */
interface SetupSettings {
  readonly web_domain: string;
  readonly web_url: string | null;
  readonly web_tls_mode: Mode;
  readonly web_cert_file: string;
  readonly web_key_file: string;
  readonly web_basepath: string;
  readonly web_listen_port: string;
  readonly timezone: string;
}

interface SetupBody {
  readonly username: string;
  readonly password: string;
  readonly repeat: string;
  readonly settings: Partial<SetupSettings>;
}

export interface SetupFormProps {
  readonly token: string;
  readonly defaults: Readonly<Record<string, string>>;
  /** Where the panel listens whatever port is typed. */
  readonly listen: string | undefined;
  readonly onDone: (finished: Finished) => void;
}

export function SetupForm({ token, defaults, listen, onDone }: SetupFormProps) {
  const { setup: words, ...session } = useWords("session");
  const parts = useWords("parts");
  // One key for every try of the same form: a setup whose answer was lost is not done twice.
  const [key] = useState(newKey);
  const [begun] = useState(() => settingsAtFirst(defaults));
  const form = useRecordForm<SetupBody, Finished>({
    initial: { username: "", password: "", repeat: "", ...named(begun) },
    check: ({ password, repeat, ...values }) => ({
      ...(repeat === password ? {} : { repeat: words.differs }),
      ...(values["settings.web_tls_mode"] === "files" &&
        Object.fromEntries(
          ["settings.web_cert_file", "settings.web_key_file"].flatMap((file) =>
            values[file] === "" ? [[file, parts.refusals.rules.required]] : [],
          ),
        )),
    }),
    async save({ username = "", password = "", settings: changed }) {
      const settings = { ...begun, ...changed };
      const { web_cert_file, web_key_file, web_url: typed, ...fields } = settings;
      const web_url =
        typed === null && !isProxied(location)
          ? ""
          : chosenUrl(typed ?? proposedUrl(fields, location), fields, location);
      const certificate = settings.web_tls_mode === "files" ? { web_cert_file, web_key_file } : {};
      const { url } = await call<{ url: string }>("POST", "/setup", {
        query: { t: token },
        body: { username, password, settings: { ...fields, web_url, ...certificate } },
        idempotencyKey: key,
        hurdles: false,
      });
      const selfSigned = settings.web_tls_mode === "self_signed";
      return { url, selfSigned, nearby: nearbyUrl(settings, listen, location) };
    },
    onDone,
  });
  // What is typed at these names is of the fields' own types.
  const settings = { ...begun, ...(nested(form.changed) as Partial<SetupBody>).settings };
  const address = settings.web_url ?? proposedUrl(settings, location);

  const check = useAddressCheck(token);
  const ltr = { dir: "ltr", spellCheck: false, autoCapitalize: "none" } as const;
  return (
    <PlacedForm form={form}>
      <Stack gap="xl">
        <fieldset className={classes["group"]}>
          <legend>{words.account}</legend>
          <Stack>
            <TextInput
              label={session.username}
              autoComplete="username"
              autoFocus
              {...ltr}
              {...textOf(form, "username")}
            />
            <SimpleGrid cols={{ base: 1, xs: 2 }}>
              <Password
                label={session.password}
                autoComplete="new-password"
                description={words.passwordRule}
                inputWrapperOrder={["label", "input", "description", "error"]}
                {...textOf(form, "password")}
              />
              <Password label={words.repeat} autoComplete="new-password" {...textOf(form, "repeat")} />
            </SimpleGrid>
          </Stack>
        </fieldset>
        <fieldset className={classes["group"]}>
          <legend>{words.address}</legend>
          <Stack>
            <TextInput
              label={words.domain}
              description={words.domainHelp}
              inputWrapperOrder={["label", "input", "description", "error"]}
              {...ltr}
              {...textOf(form, "settings.web_domain")}
            />
            <Radio.Group label={words.tls} {...choiceOf(form, "settings.web_tls_mode")}>
              <div className={classes["modes"]}>
                {MODES.map((mode) => (
                  <Radio.Card key={mode} value={mode} className={classes["mode"] ?? ""}>
                    <Group wrap="nowrap" align="flex-start" gap="sm">
                      <Radio.Indicator mt={2} />
                      <div>
                        <div className={classes["modeName"]}>{words.tlsModes[mode]}</div>
                        <div className={classes["modeHelp"]}>{words.tlsHelp[mode]}</div>
                      </div>
                    </Group>
                  </Radio.Card>
                ))}
              </div>
            </Radio.Group>
            <TextInput
              label={words.webUrl}
              description={words.webUrlHelp}
              inputWrapperOrder={["label", "input", "description", "error"]}
              inputMode="url"
              {...ltr}
              {...textOf(form, "settings.web_url")}
              value={address}
              onBlur={() => void check.run(address)}
            />
            <Text size="sm" c="dimmed" role="status">
              {words.links} <bdi dir="ltr">{`${address.replace(/\/+$/, "")}/`}</bdi> {check.said}
            </Text>
            {settings.web_tls_mode === "files" ? (
              <SimpleGrid cols={{ base: 1, xs: 2 }}>
                <TextInput
                  label={words.certFile}
                  placeholder="/etc/ssl/panel.crt"
                  {...ltr}
                  {...textOf(form, "settings.web_cert_file")}
                />
                <TextInput
                  label={words.keyFile}
                  placeholder="/etc/ssl/panel.key"
                  {...ltr}
                  {...textOf(form, "settings.web_key_file")}
                />
              </SimpleGrid>
            ) : null}
            <SimpleGrid cols={{ base: 1, xs: 2 }}>
              <TextInput
                label={words.basePath}
                description={words.basePathHelp}
                inputWrapperOrder={["label", "input", "description", "error"]}
                {...ltr}
                {...textOf(form, "settings.web_basepath")}
              />
              <TextInput
                label={words.port}
                description={listen === undefined ? words.portHelp : words.portFixed(listen)}
                inputWrapperOrder={["label", "input", "description", "error"]}
                inputMode="numeric"
                {...ltr}
                {...textOf(form, "settings.web_listen_port")}
              />
            </SimpleGrid>
            <Select
              label={words.timezone}
              description={words.timezoneHelp}
              inputWrapperOrder={["label", "input", "description", "error"]}
              data={[{ value: "", label: words.serverZone }, ...ZONES.map((zone) => ({ value: zone, label: zone }))]}
              searchable
              allowDeselect={false}
              limit={200}
              {...choiceOf(form, "settings.timezone")}
            />
          </Stack>
        </fieldset>
        {form.error ? (
          <Failure error={form.error} />
        ) : Object.keys(form.problems).length > 0 ? (
          <Alert color="red" variant="light" role="alert" p="sm">
            {words.mistakes}
          </Alert>
        ) : null}
        <Button type="submit" size="md" loading={form.busy}>
          {words.finish}
        </Button>
      </Stack>
    </PlacedForm>
  );
}

/** What the form begins with. */
function settingsAtFirst(defaults: Readonly<Record<string, string>>): SetupSettings {
  return {
    web_domain: defaults["web_domain"] ?? "",
    web_url: null,
    // Nobody listens between a browser and a panel on one machine, and a proxy that ends TLS goes on without.
    web_tls_mode: isLoopback(location.hostname) || isProxied(location) ? "none" : modeOf(defaults["web_tls_mode"]),
    web_cert_file: "",
    web_key_file: "",
    web_basepath: defaults["web_basepath"] ?? "",
    web_listen_port: defaults["web_listen_port"] ?? "",
    timezone: browserZone(),
  };
}

/** Settings by the names of their fields. */
function named(settings: SetupSettings): Values {
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [`settings.${name}`, value]));
}

function modeOf(value: string | undefined): Mode {
  return MODES.find((mode) => mode === value) ?? "self_signed";
}
