// The last day of a row's traffic as a small line; in words for who does not see it, and under the pointer.
import { useFormat } from "../format/use-format.ts";
import { Dim } from "../parts/Names.tsx";
import { Sparkline } from "../parts/plot/Sparkline.tsx";
import { useWords } from "../words/words.ts";
import { useRowTraffic, type RowPath } from "./row-traffic.ts";

/** `id`: of the record; its name stands in the row. */
export function RowTraffic({ path, id }: { readonly path: RowPath; readonly id: number }) {
  const words = useWords("parts").lastDay;
  const format = useFormat();
  const { data: line, isError } = useRowTraffic(path, id);
  if (isError) return <Dim>–</Dim>;
  if (!line) return null;
  const { values, sum, most, unknown } = line;
  if (unknown === values.length)
    return (
      <span role="img" aria-label={words.unknown} title={words.unknown}>
        <Dim>–</Dim>
      </span>
    );
  const moved = sum === 0 ? words.nothing : words.moved(format.bytes(sum), format.bytes(most));
  const label = unknown === 0 ? moved : `${moved} ${words.gaps(unknown, format.number(unknown))}`;
  return (
    <span title={label}>
      <Sparkline values={values} label={label} width={88} height={22} />
    </span>
  );
}
