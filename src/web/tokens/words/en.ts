// Words of tokens, in English.

export const titles = {
  tokens: "API tokens",
  newToken: "New token",
};

export const subjects = {
  tokens: "API token",
};

export const refusals = {
  own_password: "A token does not set the password of its own account.",
  held_by_addon: "An add-on holds this token.",
};
