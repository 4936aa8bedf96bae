import { checkFileSize, fileText } from "../../base/file-text.ts";

interface FilePickProps {
  className: string | undefined;
  label: string;
  title?: string;
  accept?: string;
  disabled?: boolean;
  onPick: (file: File) => void;
}

/** Opens a file, by default YAML or JSON; the same file can be opened again. */
export function FilePick({
  className,
  label,
  title,
  accept = ".yaml,.yml,.json",
  disabled,
  onPick,
}: FilePickProps) {
  return (
    <label className={className} title={title}>
      {label}
      <input
        type="file"
        accept={accept}
        disabled={disabled}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file) onPick(file);
          target.value = "";
        }}
      />
    </label>
  );
}

/** The text of a file. Rejects a too large file before reading it. */
export async function textOf(file: File): Promise<string> {
  checkFileSize(file.size);
  return fileText(new Uint8Array(await file.arrayBuffer()));
}
