// The way back from linking an identity provider ends on the profile.
import { Redirect, useSearch } from "wouter";

export default function LinkLanding() {
  const search = useSearch();
  return <Redirect to={search === "" ? "/me" : `/me?${search}`} replace />;
}
