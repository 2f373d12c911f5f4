// A QR code over the whole screen. Loaded when it is first opened.
import { Button, Modal } from "@mantine/core";
import { useWords } from "../words/words.ts";
import { useFocusBack } from "./focus-back.ts";
import { QrDrawing } from "./QrDrawing.tsx";
import classes from "./qr.module.css";

/** On white; a click anywhere or Esc closes it. */
export default function QrFullScreen({
  value,
  label,
  opened,
  onClose,
}: {
  value: string;
  label: string;
  opened: boolean;
  onClose: () => void;
}) {
  const words = useWords("parts");
  useFocusBack(opened);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      fullScreen
      withCloseButton={false}
      padding={0}
      classNames={{ content: classes["screen"] ?? "" }}
      attributes={{ content: { "aria-label": label } }}
    >
      <div className={classes["whole"]}>
        <button type="button" className={classes["field"]} onClick={onClose} aria-label={words.close}>
          <QrDrawing value={value} label={label} />
        </button>
        <bdi className={classes["name"]}>{label}</bdi>
        <Button variant="default" onClick={onClose} className={classes["close"] ?? ""}>
          {words.close}
        </Button>
      </div>
    </Modal>
  );
}
