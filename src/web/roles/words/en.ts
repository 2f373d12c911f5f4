// Words of roles, in English.

export const titles = {
  roles: "Roles",
  newRole: "New role",
};

export const subjects = {
  roles: "Role",
};
