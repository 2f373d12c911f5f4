// A picture as the icon of an app: 48 pixels wide, so that a page with many stays small.

const SIDE = 48;

/** The picture as an address of its own. One that no browser can draw smaller, as SVG, stays as it is. */
export async function iconOf(file: File): Promise<string> {
  if (file.type === "image/svg+xml") return addressOf(file);
  const bitmap = await createImageBitmap(file, { resizeWidth: SIDE, resizeHeight: SIDE, resizeQuality: "high" });
  const canvas = new OffscreenCanvas(SIDE, SIDE);
  canvas.getContext("2d")?.drawImage(bitmap, 0, 0);
  bitmap.close();
  return addressOf(await canvas.convertToBlob({ type: "image/webp", quality: 0.85 }));
}

/** A picture as it is, as an address of its own. */
export async function addressOf(picture: Blob): Promise<string> {
  return new Promise((done, failed) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => done(typeof reader.result === "string" ? reader.result : ""));
    reader.addEventListener("error", () => failed(reader.error ?? new Error("the picture cannot be read")));
    reader.readAsDataURL(picture);
  });
}
