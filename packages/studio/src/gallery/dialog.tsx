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
  useEffect(() => {
    if (shallOpen && !dialog.current!.open) dialog.current!.showModal();
    if (!shallOpen && dialog.current!.open) dialog.current!.close();
  }, [shallOpen]);
  const close = () => {
    isOpen.value = false;
  };
  return (
    <dialog
      ref={dialog}
      class={`help ${name}`}
      aria-labelledby={titleId}
      onClose={() => {
        close();
        onClose?.();
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
