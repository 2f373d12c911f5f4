// Words of providers, in English.

export const titles = {
  providers: "Sign-in providers",
  newProvider: "New provider",
};

export const subjects = {
  "oidc-providers": "Sign-in provider",
};

export const refusals = {
  provider_reach:
    "Whoever set this provider up reaches less than this account. A main admin who reaches further must save it again.",
  provider_off: "This identity provider is switched off.",
};

export const rules = {
  openid: "The scopes must contain openid",
  subject_field: "Write the name of a field, such as id or data.id",
  issuer: "Write the issuer alone, without /.well-known/, query or fragment",
};
