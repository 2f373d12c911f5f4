// Asks before what cannot be taken back: the title says the deed, the text its consequence, the button repeats the
// deed. Loaded when it is first opened.
import { lazy, Suspense, useState, type ReactNode } from "react";

const ConfirmQuestion = lazy(() => import("./ConfirmQuestion.tsx"));

export interface ConfirmDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  /** "Delete anna?" */
  readonly title: string;
  /** What follows, named: "Her link stops working at once; 3 sessions are closed." */
  readonly consequence: ReactNode;
  /** "Delete" */
  readonly confirm: string;
  readonly danger?: boolean;
  /** Something must be chosen first. */
  readonly disabled?: boolean;
  /** The deed; the dialog stays until it is durable and shows why it was refused. */
  readonly run: () => Promise<unknown>;
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const [used, setUsed] = useState(props.opened);
  if (props.opened && !used) setUsed(true);
  return used ? (
    <Suspense>
      <ConfirmQuestion {...props} />
    </Suspense>
  ) : null;
}
