// Whether the demo's panel serves yet, or again.

/** Asks `/healthz` once; false while nothing listens. Rejects with the signal's reason. */
export async function isServing(url: string, signal: AbortSignal): Promise<boolean> {
  try {
    const response = await fetch(`${url}/healthz`, { signal });
    await response.arrayBuffer();
    return response.ok;
  } catch (error) {
    if (signal.aborted) throw error;
    // Nothing listens yet, or not any more: that is the answer.
    return false;
  }
}
