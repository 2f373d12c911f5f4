// Words of roles, in English.

export const titles = {
  roles: "Roles",
  newRole: "New role",
};

export const subjects = {
  roles: "Role",
};

export const scopeAreas = {
  users: "Users",
  nodes: "Nodes",
  tunnels: "Tunnels",
  templates: "Templates",
  pool: "Inbounds and outbounds",
  certificates: "Certificates",
  settings: "Settings",
  stats: "Inspector and audit log",
  tools: "Key tools",
  admins: "Operators and roles",
  tokens: "Tokens",
  license: "Licence",
  backup: "Backups",
  security: "Bans",
  webhooks: "Webhooks",
  services: "Services",
};
