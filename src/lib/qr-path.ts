// The modules of a QR code as one path of a drawing: for pages of the panel and for the page that customers see.

/** Runs of dark modules, row by row. `size` is the side of the square, in modules. */
export function qrPath(rows: readonly (readonly boolean[])[]): { readonly path: string; readonly size: number } {
  let path = "";
  for (const [y, row] of rows.entries()) {
    for (let x = 0; x < row.length; x++) {
      let run = 0;
      while (row[x + run]) run++;
      if (run > 0) path += `M${x} ${y}h${run}v1h-${run}z`;
      x += run;
    }
  }
  return { path, size: rows.length };
}
