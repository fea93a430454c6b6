/** A sheet over the page. Closes with Escape; the browser keeps the focus inside. */
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly class?: string;
  readonly children: ComponentChildren;
  readonly onClose: () => void;
}

export function Dialog({ title, isOpen, class: name = '', children, onClose }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  /** Whether the next event of a closing is our own doing. It comes a moment later, when all may be open again. */
  const isClosing = useRef(false);
  useEffect(() => {
    const { current: sheet } = dialog;
    if (isOpen && !sheet!.open) sheet!.showModal();
    if (isOpen || !sheet!.open) return;
    isClosing.current = true;
    sheet!.close();
  }, [isOpen]);
  return (
    <dialog
      ref={dialog}
      class={`help ${name}`}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClose={() => {
        if (!isClosing.current) onClose();
        isClosing.current = false;
      }}
    >
      <header>
        <h2 id={titleId}>{title}</h2>
        <button type="button" onClick={onClose}>
          Close <kbd>Esc</kbd>
        </button>
      </header>
      {isOpen && children}
    </dialog>
  );
}
