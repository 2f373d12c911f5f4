// Clients that reach a node through a front: an account's own entries, run by the real programs, over nginx as the
// reverse proxy that a CDN is. It asks for its own name, path and certificate, and the node is not reached past it.
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { cellsOf, type Cell } from "./matrix/cells.ts";
import { entriesFor, startClient, userOf, type Client, type RunningClient } from "./matrix/clients.ts";
import { exchange, startEcho, type EchoOrigin } from "./matrix/echo.ts";
import { startServer, tagOf, type ServingNode } from "./matrix/servers.ts";
import { startPanel, type E2ePanel } from "./panel.ts";
import { selfSigned } from "../certificate.ts";
import { quietPorts } from "../quiet-ports.ts";

const Addresses = z.array(z.object({ inbound: z.string(), address: z.string() }));
const NGINX = "/usr/sbin/nginx";
const DOMAIN = "front.test";
/** Paths by transport. The path of gRPC is its service, which no front changes. */
const PATHS = { ws: "/seen/ws", httpupgrade: "/seen/upgrade", xhttp: "/seen/x", grpc: "/service" } as const;
type Transport = keyof typeof PATHS;
const OWN: Readonly<Record<Transport, string>> = { ws: "/ws", httpupgrade: "/upgrade", xhttp: "/x", grpc: "/service" };

const missing = [
  ...["xray", "sing-box"].filter((engine) => spawnSync(engine, ["version"]).error !== undefined),
  ...(existsSync(NGINX) ? [] : [NGINX]),
];
if (missing.length > 0) {
  const sentence = `traffic through a front needs ${missing.join(" and ")}`;
  if (process.env["CI"] === "true") throw new Error(sentence);
  console.warn(`skipped: ${sentence}`);
}

/** One name, TLS of its own, and a path for each inbound. Any other name or path is refused. */
function configuration(folder: string, port: number, inbounds: Readonly<Record<Transport, number>>): string {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  );
  const web = (Object.keys(PATHS) as Transport[]).filter((transport) => transport !== "grpc");
  const locations = web.map(
    (transport) => `location ${PATHS[transport]} {
      rewrite ^${PATHS[transport]}(.*)$ ${OWN[transport]}$1 break;
      proxy_pass http://127.0.0.1:${inbounds[transport]};
      proxy_http_version 1.1;
      proxy_set_header Host $host;
      proxy_set_header X-Forwarded-For 198.51.100.7;
      proxy_set_header CF-Connecting-IP 198.51.100.7;
      ${transport === "xhttp" ? "" : 'proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection "upgrade";'}
      proxy_buffering off; proxy_request_buffering off; proxy_read_timeout 300s; client_max_body_size 0;
    }`,
  );
  const tls = `ssl_certificate ${join(folder, "cert.pem")}; ssl_certificate_key ${join(folder, "key.pem")};`;
  return `daemon off; worker_processes 1; pid ${join(folder, "pid")}; error_log stderr;
events {}
http { access_log ${join(folder, "access.log")}; ${temporary.join(" ")} ${tls}
  server { listen 127.0.0.1:${port} ssl http2 default_server; server_name other; return 421; }
  server { listen 127.0.0.1:${port} ssl http2; server_name ${DOMAIN};
    ${locations.join("\n")}
    location ${PATHS.grpc}/ {
      grpc_pass grpc://127.0.0.1:${inbounds.grpc};
      grpc_set_header Host $host;
      grpc_read_timeout 300s; client_body_timeout 300s; client_max_body_size 0;
    }
  }
}
`;
}

describe.skipIf(missing.length > 0)("traffic through a front", () => {
  const ends: (() => Promise<unknown>)[] = [];
  let panel: E2ePanel;
  let echo: EchoOrigin;
  let node: ServingNode;
  let nginx: ChildProcess;
  let cells: readonly Cell[];
  let port: number;
  let folder: string;
  const names = (Object.keys(PATHS) as Transport[]).map((transport) => `vless ${transport} none`);

  beforeAll(async () => {
    panel = await startPanel();
    echo = await startEcho();
    ends.push(() => echo.close());
    const keys = {
      certificate: "",
      key: "",
      serverName: "",
      realityKey: "",
      handshake: { server: "", server_port: 1 },
    };
    cells = cellsOf(keys).filter(({ name }) => names.includes(name));
    expect(cells.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
    const ports = await quietPorts(cells.length + 2);
    port = ports.at(-1) ?? 0;
    node = await startServer({
      api: panel.api,
      directory: panel.directory,
      server: "xray",
      cells,
      ports,
      atEnd: (end) => ends.push(end),
    });
    folder = join(panel.directory, "nginx");
    mkdirSync(join(folder, "logs"), { recursive: true });
    const { certificate, key } = await selfSigned(DOMAIN);
    writeFileSync(join(folder, "cert.pem"), certificate);
    writeFileSync(join(folder, "key.pem"), key);
    const portOf = (transport: Transport) =>
      ports[cells.findIndex(({ name }) => name === `vless ${transport} none`)] ?? 0;
    const inbounds = {
      ws: portOf("ws"),
      httpupgrade: portOf("httpupgrade"),
      xhttp: portOf("xhttp"),
      grpc: portOf("grpc"),
    };
    writeFileSync(join(folder, "nginx.conf"), configuration(folder, port, inbounds));
    nginx = spawn(NGINX, ["-p", folder, "-c", join(folder, "nginx.conf")], { stdio: ["ignore", "ignore", "inherit"] });
    ends.push(async () => {
      const gone = new Promise((resolve) => nginx.once("exit", resolve));
      if (nginx.kill("SIGTERM")) await gone;
    });
    for (const transport of Object.keys(PATHS) as Transport[])
      await panel.api.make("fronts", {
        name: `front of ${transport}`,
        domain: DOMAIN,
        address: "127.0.0.1",
        port,
        path: transport === "grpc" ? "" : PATHS[transport],
        inboundIds: [node.inbounds.get(`vless ${transport} none`)],
      });
    for (const id of node.inbounds.values()) await panel.api.ok("PUT", `/inbounds/${id}`, { frontedOnly: true });
    // An inbound believes its front once the engine has been told of it.
    await panel.serves(node.nodeId);
  });
  afterAll(async () => {
    await Promise.all(ends.map(async (end) => end()));
    await panel?.dispose();
  });

  const addressesOf = async (userId: number): Promise<string[]> => {
    const seen = Addresses.parse(await panel.api.ok("GET", `/users/${userId}/addresses`));
    const byTag = new Map(cells.map((cell) => [tagOf(cell, "xray"), cell.transport]));
    return seen.map(({ inbound, address }) => `${byTag.get(inbound)} ${address}`).toSorted();
  };
  const CARRIES: Readonly<Partial<Record<Client, readonly Transport[]>>> = {
    xray: ["ws", "httpupgrade", "xhttp", "grpc"],
    "sing-box": ["ws", "httpupgrade", "grpc"],
  };
  // rules subscriptions.entry.5, agents.engine.8
  test.each(Object.keys(CARRIES) as Client[])("%s carries bytes both ways", async (client) => {
    const transports = CARRIES[client] ?? [];
    const user = await panel.makeUser(`by-${client}`, {});
    const entries = await entriesFor(panel.api, user, client);
    const expected = transports.map((transport) => `vless ${transport} none front of ${transport}`);
    expect([...entries.keys()].toSorted()).toEqual(expected.toSorted());
    const [socksPort = 0] = await quietPorts(1);
    // The front's certificate is verified: to the clients, this one is signed by an authority that they know.
    const env = { SSL_CERT_FILE: join(folder, "cert.pem"), SSL_CERT_DIR: folder };
    const way: RunningClient = await startClient(client, entries, socksPort, env);
    try {
      for (const name of expected)
        await expect
          .poll(
            () =>
              exchange({
                socksPort,
                user: userOf(entries, name),
                originPort: echo.port,
                eager: client !== "sing-box",
                stays: false,
              }).then(
                () => "carried",
                (error: Error) => `${name}: ${error.message}`,
              ),
            { timeout: 30_000 },
          )
          .toBe("carried");
      if (client !== "xray") return;
      // The front says where its clients are; only xhttp believes it.
      await expect
        .poll(() => addressesOf(user.id), { timeout: 30_000 })
        .toEqual(
          transports
            .map((transport) => `${transport} ${transport === "xhttp" ? "198.51.100.7" : "127.0.0.1"}`)
            .toSorted(),
        );
    } catch (error) {
      throw new Error(`${way.output.slice(-2000)}\n${node.output.slice(-1000)}`, { cause: error });
    } finally {
      await way.close();
    }
  });
});
