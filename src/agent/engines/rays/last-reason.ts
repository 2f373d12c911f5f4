// The cause in what v2ray or Xray wrote last.

/** The innermost cause of an error, whose lines read `a > b > c`. */
export function lastReason(output: string): string {
  const lines = output.split("\n").map((line) => line.trim());
  const line =
    lines.findLast((candidate) => /failed|error|panic/i.test(candidate)) ??
    lines.findLast((candidate) => candidate !== "") ??
    "no reason given";
  return (line.split(" > ").slice(-2).join(": ") || line).slice(0, 300);
}
