// The panel's own certificate follows its names, in the write's transaction and on the listener that runs.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dialects } from "../../database.ts";
import { ListeningPanel } from "./panel.ts";

describe.each(dialects)("the panel's own certificate on %s", (dialect) => {
  let panel: ListeningPanel;
  beforeAll(async () => {
    panel = await ListeningPanel.open(dialect, { web_domain: "panel.example" });
  });
  afterAll(() => panel.dispose());

  const names = async (from = panel) => (await from.ask("GET", "/healthz")).names.toSorted();

  // rule certificates.own.1
  test("covers the names of setup", async () => {
    expect(await names()).toEqual(["panel.example"]);
  });

  // rule certificates.own.2
  test("covers new names at once, wildcards too, without another id or a restart", async () => {
    const id = (await setting("web_cert_id")).value;
    expect((await panel.put("sub_domain", "sub.example,*.w.example")).status).toBe(200);
    expect(await names()).toEqual(["*.w.example", "panel.example", "sub.example"]);
    expect((await panel.put("web_domain", "other.example")).status).toBe(200);
    expect(await names()).toEqual(["*.w.example", "other.example", "sub.example"]);
    expect((await setting("web_cert_id")).value).toBe(id);
  });

  // rule certificates.own.3
  test("stays as it is where a write moves no name", async () => {
    const before = await serial();
    await panel.put("web_domain", "other.example");
    await panel.put("sub_title", "Shop");
    expect(await serial()).toBe(before);
  });

  // rule certificates.own.2
  test("of two names written at once both are covered", async () => {
    await Promise.all([panel.put("web_domain", "one.example"), panel.put("sub_domain", "two.example")]);
    expect(await names()).toEqual(["one.example", "two.example"]);
  });

  // rule certificates.mode.1
  test("self_signed needs web_cert_id to name a certificate, which may not be emptied under it", async () => {
    expect((await panel.put("web_cert_id", "")).body).toMatchObject({ code: "validation", field: "value" });
    expect((await panel.put("web_cert_id", "999999")).body).toMatchObject({ code: "validation", field: "value" });
    const id = (await setting("web_cert_id")).value;
    await panel.put("web_tls_mode", "none");
    expect((await panel.put("web_cert_id", "")).status).toBe(200);
    expect((await panel.put("web_tls_mode", "self_signed")).body).toMatchObject({ field: "value" });
    expect((await panel.put("web_cert_id", id)).status).toBe(200);
    expect((await panel.put("web_tls_mode", "self_signed")).status).toBe(200);
  });

  // rule certificates.mode.6
  test("web_tls_min holds after a restart", async () => {
    expect((await panel.ask("GET", "/healthz", { maxVersion: "TLSv1.2" })).status).toBe(200);
    await panel.put("web_tls_min", "1.3");
    expect((await panel.ask("GET", "/healthz", { maxVersion: "TLSv1.2" })).status).toBe(200);
    await panel.restart();
    await expect(panel.ask("GET", "/healthz", { maxVersion: "TLSv1.2" })).rejects.toThrow(/alert|protocol/i);
    await panel.put("web_domain", "again.example");
    await expect(panel.ask("GET", "/healthz", { maxVersion: "TLSv1.2" })).rejects.toThrow(/alert|protocol/i);
  });

  // rule certificates.own.2
  if (dialect === "postgresql")
    test("another process serves it too", async () => {
      const neighbour = await panel.neighbour();
      try {
        await panel.put("web_domain", "shared.example");
        await expect.poll(() => names(neighbour)).toContain("shared.example");
      } finally {
        await neighbour.dispose();
      }
    });

  async function setting(key: string): Promise<{ value: string }> {
    const rows = (await panel.ask("GET", "/api/settings")).body as { key: string; value: string }[];
    return rows.find((row) => row.key === key) ?? { value: "" };
  }

  /** Serial number of the certificate that is shown: names do not change when a certificate is made again for them. */
  async function serial(): Promise<string> {
    return (await panel.ask("GET", "/healthz")).serial;
  }
});
