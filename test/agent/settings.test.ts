// What the agent is told: options before environment before file, and what is wrong named by option or by file and
// field.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readAgentCall } from "../../src/agent/settings.ts";

const directory = mkdtempSync(join(tmpdir(), "signalbox-settings-"));
afterAll(() => rmSync(directory, { recursive: true }));
const file = join(directory, "agent.json");
const whole = { listen: "[::1]:7443", data: "/d", trust: "/t" };

function call(value: unknown, argv: readonly string[] = [], env: Record<string, string> = {}) {
  writeFileSync(file, typeof value === "string" ? value : JSON.stringify(value));
  return readAgentCall(["--config", file, ...argv], env);
}

// rule agents.command.2
test("a file alone is enough, and says what is not said otherwise", () => {
  expect(call(whole)).toMatchObject({
    check: false,
    settings: {
      listen: { host: "::1", port: 7443 },
      data: "/d",
      trust: "/t",
      engine: "auto",
      "private-targets": "block",
      "on-stop": "stop",
      "log-level": "info",
      configFile: file,
    },
  });
  const said = { ...whole, engine: "xray", "private-targets": "allow", "on-stop": "leave", "log-level": "warn" };
  expect(call(said)?.settings).toMatchObject({
    engine: "xray",
    "private-targets": "allow",
    "on-stop": "leave",
    "log-level": "warn",
  });
});

// rule agents.command.2
test("an option wins over the file; the log level of the environment stands between", () => {
  const said = { ...whole, engine: "xray", "log-level": "warn" };
  const won = call(said, ["--engine", "none", "--data", "/e", "--check"], { SIGNALBOX_LOG_LEVEL: "error" });
  expect(won).toMatchObject({
    check: true,
    settings: { engine: "none", data: "/e", trust: "/t", "log-level": "error" },
  });
  expect(call(said, ["--log-level", "trace"], { SIGNALBOX_LOG_LEVEL: "error" })?.settings["log-level"]).toBe("trace");
  expect(call(said, [], { SIGNALBOX_LOG_LEVEL: "loud" })?.settings["log-level"]).toBe("warn");
});

test("the log level is read again from the file as it is then, unless something else has said it", () => {
  const fromFile = call({ ...whole, "log-level": "warn" });
  const fromOption = readAgentCall(["--config", file, "--log-level", "fatal"], {});
  writeFileSync(file, JSON.stringify({ ...whole, "log-level": "debug" }));
  expect([fromFile?.readLogLevel(), fromOption?.readLogLevel()]).toEqual(["debug", "fatal"]);
  writeFileSync(file, "{");
  expect(() => fromFile?.readLogLevel()).toThrow(`${file} is no JSON`);
});

test.each<[string, unknown, readonly string[], string]>([
  ["an unknown key", { ...whole, lisen: 1 }, [], "agent.json: lisen is no option; known are listen, data"],
  ["a bad value", { ...whole, listen: "nowhere" }, [], "agent.json: listen: is no HOST:PORT"],
  ["a value of another type", { ...whole, listen: 7443 }, [], "agent.json: listen: "],
  ["an engine there is not", { ...whole, engine: "simulated" }, [], "agent.json: engine: is none of auto, sing-box"],
  ["a bad word", { ...whole, "on-stop": "drain" }, [], "agent.json: on-stop: is neither stop nor leave"],
  ["no object", [whole], [], "agent.json holds no object"],
  ["no JSON", "{listen}", [], "agent.json is no JSON"],
  ["something missing", { data: "/d" }, [], "--listen is required"],
  [
    "a bad option beside a good file",
    whole,
    ["--private-targets", "perhaps"],
    "--private-targets: is neither block nor allow",
  ],
  ["an unknown option", whole, ["--nodes", "3"], "--nodes"],
])("%s is refused by name", (_, value, argv, message) => {
  expect(() => call(value, argv)).toThrow(message);
});

test("a file that is not there is named", () => {
  expect(() => readAgentCall(["--config", join(directory, "absent.json")], {})).toThrow("absent.json cannot be read");
});
