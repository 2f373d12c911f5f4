// The fields of setup. The panel validates; its refusals are shown at the fields that they name (`settings.<key>`).
import { Alert, Button, Group, Radio, Select, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { ApiError, call, newKey } from "../api/call.ts";
import { Failure } from "../parts/Answer.tsx";
import { fieldProblems } from "../parts/refusal.ts";
import { browserZone } from "../browser/preferences.ts";
import { Password } from "../parts/form/Password.tsx";
import { chosenUrl, isLoopback, isProxied, nearbyUrl, proposedUrl } from "./setup-address.ts";
import { useReach } from "../session/use-reach.ts";
import { useWords } from "../words/words.ts";
import type { Finished } from "./SetupDone.tsx";
import classes from "./setup.module.css";

const MODES = ["self_signed", "files", "none"] as const;
type Mode = (typeof MODES)[number];

/** The browser's own may be one that its list leaves out (UTC). */
const ZONES = [...new Set([browserZone(), ...Intl.supportedValuesOf("timeZone")])];

interface Values {
  username: string;
  password: string;
  repeat: string;
  web_domain: string;
  /** As it was typed; undefined: as it is proposed. */
  web_url: string | undefined;
  web_tls_mode: Mode;
  web_cert_file: string;
  web_key_file: string;
  web_basepath: string;
  web_listen_port: string;
  timezone: string;
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
  const [refusal, setRefusal] = useState<ApiError>();
  const [busy, setBusy] = useState(false);
  // One key for every try of the same form: a setup whose answer was lost is not done twice.
  const [key] = useState(newKey);
  const form = useForm<Values>({
    initialValues: {
      username: "",
      password: "",
      repeat: "",
      web_domain: defaults["web_domain"] ?? "",
      web_url: undefined,
      // Nobody listens between a browser and a panel on one machine, and a proxy that ends TLS goes on without.
      web_tls_mode: isLoopback(location.hostname) || isProxied(location) ? "none" : modeOf(defaults["web_tls_mode"]),
      web_cert_file: "",
      web_key_file: "",
      web_basepath: defaults["web_basepath"] ?? "",
      web_listen_port: defaults["web_listen_port"] ?? "",
      timezone: browserZone(),
    },
    validate: {
      repeat: (repeat, { password }) => (repeat === password ? null : words.differs),
      web_cert_file: (file, { web_tls_mode }) =>
        web_tls_mode === "files" && file === "" ? parts.refusals.rules.required : null,
      web_key_file: (file, { web_tls_mode }) =>
        web_tls_mode === "files" && file === "" ? parts.refusals.rules.required : null,
    },
  });

  const proposed = proposedUrl(form.values, location);
  const address = form.values.web_url ?? proposed;

  const finish = async ({ username, password, repeat: _, ...settings }: Values): Promise<void> => {
    const { web_cert_file, web_key_file, web_url, ...fields } = settings;
    const others = {
      ...fields,
      web_url: web_url === undefined && !isProxied(location) ? "" : chosenUrl(web_url ?? proposed, fields, location),
    };
    const chosen = settings.web_tls_mode === "files" ? { ...others, web_cert_file, web_key_file } : others;
    setBusy(true);
    setRefusal(undefined);
    try {
      const body = { username, password, settings: chosen };
      const { url } = await call<{ url: string }>("POST", "/setup", {
        query: { t: token },
        body,
        idempotencyKey: key,
        hurdles: false,
      });
      onDone({
        url,
        selfSigned: settings.web_tls_mode === "self_signed",
        nearby: nearbyUrl(settings, listen, location),
      });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setRefusal(error);
      // `settings.web_domain` is the field `web_domain`.
      form.setErrors(
        Object.fromEntries(
          Object.entries(fieldProblems(error, parts)).map(([path, text]) => [path.replace(/^settings\./, ""), text]),
        ),
      );
    } finally {
      setBusy(false);
    }
  };

  const reach = useReach(token);
  const ltr = { dir: "ltr", spellCheck: false, autoCapitalize: "none" } as const;
  const placed = Object.keys(form.errors).length > 0;
  return (
    <form onSubmit={form.onSubmit((values) => void finish(values))} noValidate>
      <Stack gap="xl">
        <fieldset className={classes["group"]}>
          <legend>{words.account}</legend>
          <Stack>
            <TextInput
              label={session.username}
              autoComplete="username"
              autoFocus
              {...ltr}
              {...form.getInputProps("username")}
            />
            <SimpleGrid cols={{ base: 1, xs: 2 }}>
              <Password
                label={session.password}
                autoComplete="new-password"
                description={words.passwordRule}
                inputWrapperOrder={["label", "input", "description", "error"]}
                {...form.getInputProps("password")}
              />
              <Password label={words.repeat} autoComplete="new-password" {...form.getInputProps("repeat")} />
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
              {...form.getInputProps("web_domain")}
            />
            <Radio.Group label={words.tls} {...form.getInputProps("web_tls_mode")}>
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
              value={address}
              error={form.errors["web_url"]}
              onChange={({ currentTarget }) => form.setFieldValue("web_url", currentTarget.value)}
              onBlur={() => void reach.look(address)}
            />
            <Text size="sm" c="dimmed" role="status">
              {words.links} <bdi dir="ltr">{`${address.replace(/\/+$/, "")}/`}</bdi> {reach.said}
            </Text>
            {form.values.web_tls_mode === "files" ? (
              <SimpleGrid cols={{ base: 1, xs: 2 }}>
                <TextInput
                  label={words.certFile}
                  placeholder="/etc/ssl/panel.crt"
                  {...ltr}
                  {...form.getInputProps("web_cert_file")}
                />
                <TextInput
                  label={words.keyFile}
                  placeholder="/etc/ssl/panel.key"
                  {...ltr}
                  {...form.getInputProps("web_key_file")}
                />
              </SimpleGrid>
            ) : null}
            <SimpleGrid cols={{ base: 1, xs: 2 }}>
              <TextInput
                label={words.basePath}
                description={words.basePathHelp}
                inputWrapperOrder={["label", "input", "description", "error"]}
                {...ltr}
                {...form.getInputProps("web_basepath")}
              />
              <TextInput
                label={words.port}
                description={listen === undefined ? words.portHelp : words.portFixed(listen)}
                inputWrapperOrder={["label", "input", "description", "error"]}
                inputMode="numeric"
                {...ltr}
                {...form.getInputProps("web_listen_port")}
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
              {...form.getInputProps("timezone")}
            />
          </Stack>
        </fieldset>
        {placed ? (
          <Alert color="red" variant="light" role="alert" p="sm">
            {words.mistakes}
          </Alert>
        ) : refusal ? (
          <Failure error={refusal} />
        ) : null}
        <Button type="submit" size="md" loading={busy}>
          {words.finish}
        </Button>
      </Stack>
    </form>
  );
}

function modeOf(value: string | undefined): Mode {
  return MODES.find((mode) => mode === value) ?? "self_signed";
}
