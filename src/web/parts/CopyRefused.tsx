// Where the browser refused to copy: the text, selected, and the reason. Loaded when that happens.
import { Modal, Text, TextInput } from "@mantine/core";
import { useWords } from "../words/words.ts";

interface CopyRefusedProps {
  readonly value: string;
  readonly label: string;
  readonly onClose: () => void;
}

export default function CopyRefused({ value, label, onClose }: CopyRefusedProps) {
  const words = useWords("parts");
  return (
    <Modal opened onClose={onClose} title={label} closeButtonProps={{ "aria-label": words.close }}>
      <Text size="sm" mb="xs">
        {window.isSecureContext ? words.copyRefused : words.copyInsecure}
      </Text>
      <TextInput
        value={value}
        readOnly
        aria-label={label}
        dir="ltr"
        data-autofocus
        onFocus={(event) => event.currentTarget.select()}
      />
    </Modal>
  );
}
