/** A sheet over the page. Closes with Escape; the browser keeps the focus inside. */
import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

interface DialogProps {
  readonly title: string;
  readonly isOpen: Signal<boolean>;
  readonly class?: string;
  readonly children: ComponentChildren;
  readonly onClose?: () => void;
}

export function Dialog({ title, isOpen, class: name = '', children, onClose }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const shallOpen = isOpen.value;
  /** Whether the next event of a closing is our own doing. It comes a moment later, when all may be open again. */
  const isClosing = useRef(false);
  useEffect(() => {
    const { current: sheet } = dialog;
    if (shallOpen && !sheet!.open) sheet!.showModal();
    if (shallOpen || !sheet!.open) return;
    isClosing.current = true;
    sheet!.close();
  }, [shallOpen]);
  const close = () => {
    isOpen.value = false;
    onClose?.();
  };
  return (
    <dialog
      ref={dialog}
      class={`help ${name}`}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onClose={() => {
        if (!isClosing.current) close();
        isClosing.current = false;
      }}
    >
      <header>
        <h2 id={titleId}>{title}</h2>
        <button type="button" onClick={close}>
          Close <kbd>Esc</kbd>
        </button>
      </header>
      {shallOpen && children}
    </dialog>
  );
}
