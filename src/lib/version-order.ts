// Versions in their order: numbers as numbers, a version that comes before its release (`1.2.0-rc.1`) below it, and
// what is built of it (`+abc`) without a say.

/** Negative: `one` is older than `other`; 0: they are equal in order. */
export function compareVersions(one: string, other: string): number {
  const [a, b] = [partsOf(one), partsOf(other)];
  return comparedParts(a.release, b.release) || comparedEarly(a.early, b.early);
}

function partsOf(version: string): { readonly release: readonly string[]; readonly early: readonly string[] } {
  const [said = ""] = version.replace(/^v(?=\d)/i, "").split("+");
  const [release = "", ...early] = said.split("-");
  return { release: release.split("."), early: early.length === 0 ? [] : early.join("-").split(".") };
}

/** A release is newer than all that came before it. */
function comparedEarly(one: readonly string[], other: readonly string[]): number {
  if (one.length === 0 || other.length === 0) return other.length - one.length;
  return comparedParts(one, other);
}

function comparedParts(one: readonly string[], other: readonly string[]): number {
  for (let at = 0; at < Math.max(one.length, other.length); at++) {
    const order = comparedPart(one[at], other[at]);
    if (order !== 0) return order;
  }
  return 0;
}

/** A number is below a word, and what is not there below both: `1.2` < `1.2.0` < `1.2.a`. */
function comparedPart(one: string | undefined, other: string | undefined): number {
  if (one === undefined || other === undefined) return (one === undefined ? 0 : 1) - (other === undefined ? 0 : 1);
  const [isNumber, otherIsNumber] = [/^\d+$/.test(one), /^\d+$/.test(other)];
  if (isNumber !== otherIsNumber) return isNumber ? -1 : 1;
  if (!isNumber) return one < other ? -1 : Number(one > other);
  const [a, b] = [BigInt(one), BigInt(other)];
  return a < b ? -1 : Number(a > b);
}
