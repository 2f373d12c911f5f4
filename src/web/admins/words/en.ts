// Words of admins, in English.

export const titles = {
  admins: "Operators",
  newAdmin: "New operator",
};

export const families = { admin: "Admins" };

export const raised = {
  "admin.login": "signed in",
  "admin.login_failed": "sign-in refused",
  "admin.login_new_ip": "signed in from a new address",
  "admin.2fa_changed": "two-factor sign-in changed",
  "admin.owner_changed": "is the owner of the panel now",
};

export const subjects = {
  admins: "Admin",
};

export const actions = {
  owner: "ownership handed over",
};
