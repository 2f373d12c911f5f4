// A page of plots for their test: each kind, with a gap, and the choice of a span of time above them.
import "@mantine/core/styles.css";
import "../../../src/web/shell/tokens.css";
import { DirectionProvider, MantineProvider } from "@mantine/core";
import { setNonce } from "get-nonce";
import { createRoot } from "react-dom/client";
import { FormatContext } from "../../../src/web/format/format-context.ts";
import { useFormat } from "../../../src/web/format/use-format.ts";
import { Plot } from "../../../src/web/parts/plot/Plot.tsx";
import { Sparkline } from "../../../src/web/parts/plot/Sparkline.tsx";
import { TimeRangePicker, useTimeRange } from "../../../src/web/parts/time/TimeRangePicker.tsx";
import { pageNonce } from "../../../src/web/shell/nonce.ts";
import { theme } from "../../../src/web/browser/theme.ts";
import { LANGUAGES, loadLanguage, preferredLanguage } from "../../../src/web/words/language.ts";
import { WordsContext } from "../../../src/web/words/words.ts";

const HOUR = 3600;
const START = 1_790_000_000;
const GIB = 1024 ** 3;
/** Nothing is known of the ninth and eleventh hour of the first: what is known between them stands alone. */
const series = ["node-1", "<b>node-2</b>"].map((name, line) => ({
  id: name,
  name,
  points: Array.from({ length: 24 }, (_, hour) => ({
    at: START + hour * HOUR,
    value: line === 0 && (hour === 8 || hour === 10) ? null : ((hour * 7 + line * 5) % 12) * GIB,
  })),
}));

function Plots() {
  const format = useFormat();
  const { from, to } = useTimeRange("24h", START + 24 * HOUR);
  return (
    <>
      <h1>Plots</h1>
      <p>{format.duration(to - from)}</p>
      <TimeRangePicker usual="24h" now={START + 24 * HOUR} />
      {(["lines", "stack", "bars"] as const).map((kind) => (
        <Plot key={kind} label={kind} kind={kind} series={series} show={format.bytes} bytes moments="minute" />
      ))}
      <Sparkline label="rising" values={[1, 2, null, 4, 5]} />
    </>
  );
}

async function start(): Promise<void> {
  setNonce(pageNonce());
  const words = await loadLanguage(preferredLanguage());
  const root = document.querySelector("#root");
  if (!root) throw new Error("the page has no root");
  createRoot(root).render(
    <WordsContext value={words}>
      <DirectionProvider initialDirection={LANGUAGES[words.language].direction}>
        <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={pageNonce}>
          <FormatContext value={{ calendar: undefined, timeZone: "Asia/Tehran" }}>
            <Plots />
          </FormatContext>
        </MantineProvider>
      </DirectionProvider>
    </WordsContext>,
  );
}

document.documentElement.dir = LANGUAGES[preferredLanguage()].direction;
document.documentElement.lang = preferredLanguage();
void start();
