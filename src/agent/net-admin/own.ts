// The kernel's network changed by this process itself, with the right to it.
import { NftPortMap } from "./nft/nft-port-map.ts";
import { NftSpeedTable } from "./nft/nft-speed-table.ts";
import { portMapObjection, speedLimitObjection } from "./nft/probe.ts";
import type { NetAdmin } from "./contract.ts";
import { cutSockets } from "./cut-sockets.ts";

export const ownNetAdmin: NetAdmin = {
  portMapObjection,
  speedLimitObjection,
  portMap: (directory, log) => new NftPortMap({ directory, log }),
  speedTable: (directory) => new NftSpeedTable(directory),
  cutSockets,
};
