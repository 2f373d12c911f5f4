// Keys of Xray's configuration that the agent writes, and why it never writes the rest. A key of a new version is in no
// list here until somebody has decided.
import { byKey } from "./refused-keys.ts";

/** By block, keys that the agent writes: fixed, or of a plan's values. */
export const xrayKeysWritten: Readonly<Record<string, string>> = {
  APIConfig: "listen services tag",
  BalancingRule: "fallbackTag selector strategy tag",
  Config: "api dns inbounds log observatory outbounds policy routing stats",
  DNSConfig: "disableCache hosts queryStrategy servers tag",
  DNSOutboundConfig: "",
  DokodemoConfig: "address network port",
  FinalMask: "quicParams udp",
  FreedomConfig: "domainStrategy finalRules",
  FreedomFinalRuleConfig: "action blockDelay ip port",
  GRPCConfig: "serviceName",
  HTTPAccount: "pass user",
  HTTPClientConfig: "servers",
  HTTPRemoteConfig: "address port users",
  HTTPServerConfig: "accounts allowTransparent userLevel",
  HttpUpgradeConfig: "headers host path",
  HysteriaClientConfig: "address port version",
  HysteriaConfig: "auth masquerade version",
  HysteriaServerConfig: "clients users version",
  HysteriaUserConfig: "auth email level",
  InboundDetourConfig: "listen port protocol settings sniffing streamSettings tag",
  LogConfig: "loglevel",
  Mask: "settings type",
  Masquerade: "content headers rewriteHost statusCode type url",
  NameServerConfig: "address domains port skipFallback tag",
  ObservatoryConfig: "enableConcurrency probeInterval probeURL subjectSelector",
  OutboundDetourConfig: "protocol sendThrough settings streamSettings tag",
  Policy: "statsUserDownlink statsUserOnline statsUserUplink",
  PolicyConfig: "levels system",
  QuicParamsConfig: "brutalDown brutalUp congestion",
  RawFieldRule: "balancerTag domain inboundTag ip network outboundTag port protocol ruleTag source sourcePort user",
  REALITYConfig:
    "fingerprint maxTimeDiff minClientVer privateKey publicKey serverName serverNames shortId shortIds target",
  RouterConfig: "balancers domainStrategy rules",
  RouterRule: "balancerTag outboundTag ruleTag",
  Salamander: "password",
  ShadowsocksClientConfig: "servers",
  ShadowsocksServerConfig: "clients method network password users",
  ShadowsocksServerTarget: "address method password port",
  ShadowsocksUserConfig: "email level method password",
  SniffingConfig: "destOverride enabled routeOnly",
  SocketConfig: "dialerProxy domainStrategy tcpFastOpen tcpKeepAliveIdle tcpKeepAliveInterval tcpMptcp",
  SocksAccount: "pass user",
  SocksClientConfig: "servers",
  SocksRemoteConfig: "address port users",
  SocksServerConfig: "accounts auth udp userLevel",
  SplitHTTPConfig: "extra host mode path",
  StrategyConfig: "type",
  StreamConfig:
    "finalmask grpcSettings httpupgradeSettings hysteriaSettings network realitySettings security sockopt tlsSettings wsSettings xhttpSettings",
  SystemPolicy: "statsInboundDownlink statsInboundUplink statsOutboundDownlink statsOutboundUplink",
  TLSCertConfig: "certificate key usage",
  TLSConfig: "alpn certificates cipherSuites disableSystemRoot fingerprint maxVersion minVersion serverName",
  TrojanClientConfig: "servers",
  TrojanInboundFallback: "alpn dest",
  TrojanServerConfig: "clients fallbacks users",
  TrojanServerTarget: "address password port",
  TrojanUserConfig: "email level password",
  User: "email level",
  VLessInboundConfig: "clients decryption users",
  VLessOutboundConfig: "vnext",
  VLessOutboundVnext: "address port users",
  VMessAccount: "id security",
  VMessInboundConfig: "clients users",
  VMessOutboundConfig: "vnext",
  VMessOutboundTarget: "address port users",
  WebSocketConfig: "headers host path",
  WireGuardConfig: "address domainStrategy mtu noKernelTun peers reserved secretKey",
  WireGuardPeerConfig: "allowedIPs endpoint keepAlive preSharedKey publicKey",
};

/**
 * By block that is written, keys that never are: files, programs, interfaces and settings of the host, the environment,
 * and what the dialect has no words for.
 */
export const refusedXrayKeys: Readonly<Record<string, string>> = {
  Config: "burstObservatory env fakeDns geodata metrics reverse transport version",
  DNSConfig:
    "clientIp disableFallback disableFallbackIfMatch enableParallelQuery serveExpiredTTL serveStale useSystemHosts",
  DNSOutboundConfig:
    "address blockTypes network nonIPQuery port rewriteAddress rewriteNetwork rewritePort rules userLevel",
  DokodemoConfig: "allowedNetwork followRedirect portMap rewriteAddress rewritePort userLevel",
  FinalMask: "tcp",
  FreedomConfig: "fragment ipsBlocked noise noises proxyProtocol redirect targetStrategy userLevel",
  FreedomFinalRuleConfig: "network",
  GRPCConfig:
    "authority health_check_timeout idle_timeout initial_windows_size multiMode permit_without_stream user_agent",
  HTTPClientConfig: "address email headers level pass port user",
  HTTPServerConfig: "users",
  HttpUpgradeConfig: "acceptProxyProtocol",
  HysteriaConfig: "congestion down udpIdleTimeout udphop up",
  LogConfig: "access dnsLog error maskAddress",
  // `dir` is the host's.
  Masquerade: "dir insecure",
  NameServerConfig:
    "clientIp disableCache expectIPs expectedIPs finalQuery queryStrategy serveExpiredTTL serveStale timeoutMs unexpectedIPs",
  OutboundDetourConfig: "mux proxySettings targetStrategy",
  Policy: "bufferSize connIdle downlinkOnly handshake uplinkOnly",
  QuicParamsConfig:
    "bbrProfile debug disablePathMTUDiscovery initConnectionReceiveWindow initStreamReceiveWindow keepAlivePeriod " +
    "maxConnectionReceiveWindow maxIdleTimeout maxIncomingStreams maxStreamReceiveWindow udpHop",
  // `process` and `webhook` are the host's.
  RawFieldRule: "attrs domains localIP localPort process sourceIP vlessRoute webhook",
  // `masterKeyLog` writes a file; `dest` and `type` can be a socket of the host.
  REALITYConfig:
    "dest limitFallbackDownload limitFallbackUpload masterKeyLog maxClientVer mldsa65Seed mldsa65Verify password show spiderX type xver",
  Salamander: "packetSize",
  ShadowsocksClientConfig: "address email level method password port",
  ShadowsocksServerConfig: "email level",
  ShadowsocksServerTarget: "email level",
  ShadowsocksUserConfig: "address port",
  SniffingConfig: "domainsExcluded ipsExcluded metadataOnly",
  // `interface`, `mark`, `tproxy` and options of the kernel by number are the host's.
  SocketConfig:
    "acceptProxyProtocol addressPortStrategy customSockopt happyEyeballs interface mark penetrate tcpCongestion tcpMaxSeg tcpUserTimeout " +
    "tcpWindowClamp tproxy trustedXForwardedFor v6only",
  SocksClientConfig: "address email level pass port user",
  SocksServerConfig: "ip users",
  // They stand in `extra`, which has an allow-list of its own.
  SplitHTTPConfig:
    "downloadSettings headers noGRPCHeader noSSEHeader scMaxBufferedPosts scMaxEachPostBytes scMinPostsIntervalMs scStreamUpServerSecs seqKey " +
    "seqPlacement serverMaxHeaderBytes sessionIDKey sessionIDLength sessionIDPlacement sessionIDTable uplinkChunkSize uplinkDataKey " +
    "uplinkDataPlacement uplinkHTTPMethod xPaddingBytes xPaddingHeader xPaddingKey xPaddingMethod xPaddingObfsMode xPaddingPlacement xmux",
  StrategyConfig: "settings",
  StreamConfig: "address kcpSettings method port rawSettings splithttpSettings tcpSettings",
  // `certificateFile` and `keyFile` are read again and again.
  TLSCertConfig: "buildChain certificateFile keyFile ocspStapling oneTimeLoading",
  // `masterKeyLog` writes a file.
  TLSConfig:
    "allowInsecure curvePreferences echConfigList echServerKeys echSockopt enableSessionResumption masterKeyLog pinnedPeerCertSha256 " +
    "rejectUnknownSni verifyPeerCertByName",
  TrojanClientConfig: "address email flow level password port",
  TrojanInboundFallback: "name path type xver",
  TrojanServerTarget: "email flow level",
  TrojanUserConfig: "flow",
  VLessInboundConfig: "fallbacks flow testseed",
  VLessOutboundConfig: "address email encryption flow id level port reverse seed testpre testseed",
  VMessAccount: "experiments",
  VMessInboundConfig: "default",
  VMessOutboundConfig: "address email experiments id level port security",
  WebSocketConfig: "acceptProxyProtocol heartbeatPeriod",
  WireGuardPeerConfig: "email level",
};

/** Blocks that the agent never writes. */
export const unwrittenXrayBlocks: ReadonlyMap<string, string> = byKey({
  "is how Xray reads a plain value": "Address HostAddress HostsWrapper Int32Range PortList PortRange",
  "is written as nothing, or in a form without keys":
    "BlackholeConfig LimitFallback LoopbackConfig StatsConfig TCPConfig XmuxConfig",
  "fetches files, or opens ports of its own": "GeodataConfig GeodataAssetConfig MetricsConfig WebhookRuleConfig",
  "is an interface or a setting of the host": "TunConfig CustomSockoptConfig HappyEyeballsConfig Xicmp",
  "has no words in the dialect":
    "Authenticator AuthenticatorRequest AuthenticatorResponse BridgeConfig BurstObservatoryConfig CustomTransform CustomTransformArg " +
    "DNSOutboundRuleConfig FakeDNSConfig FakeDNSPoolElementConfig Fragment FragmentMask HeaderCustomTCP HeaderCustomUDP KCPConfig " +
    "MkcpLegacy MuxConfig Noise NoiseItem NoiseMask PortalConfig ProxyConfig Realm ReverseConfig Sudoku TCPItem UDPItem UdpHop " +
    "VLessInboundFallback VLessReverseConfig VMessDefaultConfig VersionConfig XMC XMCProfile Xdns healthCheckSettings " +
    "strategyLeastLoadConfig",
});

/** `transport.extra` beside Xray's own block. */
export const XRAY_EXTRA = {
  refused: byKey({
    "reads or writes a file": "TLSConfig.certificates TLSConfig.masterKeyLog REALITYConfig.masterKeyLog",
    "is an interface, socket or setting of the host":
      "StreamConfig.sockopt TLSConfig.echSockopt REALITYConfig.dest REALITYConfig.target REALITYConfig.type",
    "is of a server, or of another transport":
      "REALITYConfig.limitFallbackDownload REALITYConfig.limitFallbackUpload REALITYConfig.maxClientVer REALITYConfig.maxTimeDiff " +
      "REALITYConfig.minClientVer REALITYConfig.mldsa65Seed REALITYConfig.privateKey REALITYConfig.serverNames REALITYConfig.shortIds " +
      "REALITYConfig.show REALITYConfig.xver TLSConfig.echServerKeys TLSConfig.rejectUnknownSni StreamConfig.grpcSettings " +
      "StreamConfig.httpupgradeSettings StreamConfig.hysteriaSettings StreamConfig.kcpSettings StreamConfig.rawSettings " +
      "StreamConfig.splithttpSettings StreamConfig.tcpSettings StreamConfig.wsSettings StreamConfig.finalmask StreamConfig.method",
    "is not supported":
      "TLSConfig.allowInsecure TLSConfig.curvePreferences TLSConfig.disableSystemRoot TLSConfig.echConfigList " +
      "TLSConfig.enableSessionResumption TLSConfig.verifyPeerCertByName",
  }),
  /** Names of older versions. */
  foreign: ["SplitHTTPConfig.sessionPlacement", "SplitHTTPConfig.sessionKey", "SplitHTTPConfig.scMaxConcurrentPosts"],
} as const;
