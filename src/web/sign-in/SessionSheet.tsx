// The sign-in over the page of a person whose session ended: typed text on the page stays, and the call that failed is
// repeated.
import { Anchor, Modal, Stack, Text } from "@mantine/core";
import { useLocation, useSearch } from "wouter";
import { useWords } from "../words/words.ts";
import { signInPath } from "../session/destination.ts";
import { useMe, type Me } from "../session/me.ts";
import { SignIn } from "./SignIn.tsx";

export default function SessionSheet({ onSignedIn }: { readonly onSignedIn: (me: Me) => void }) {
  const { ended: words } = useWords("session");
  const { username } = useMe();
  const [path] = useLocation();
  const search = useSearch();
  const elsewhere = new URL(signInPath(search === "" ? path : `${path}?${search}`).slice(1), document.baseURI);
  return (
    <Modal
      opened
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      zIndex={500}
      title={<Text fw={600}>{words.title}</Text>}
    >
      <Stack>
        <Text size="sm">{words.text(username)}</Text>
        <SignIn username={username} onSignedIn={onSignedIn} />
        <Anchor href={elsewhere.href} size="sm" c="dimmed">
          {words.other}
        </Anchor>
      </Stack>
    </Modal>
  );
}
