import { autocompletion, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { Annotation, EditorState } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { useEffect, useRef } from "react";
import type { ScenarioNames } from "../../store/types.ts";
import { complete } from "./complete.ts";
import css from "./scenario.module.css";

/** A message about a line. */
export interface Remark {
  /** From 1. */
  readonly line: number;
  readonly message: string;
}

interface CodeEditorProps {
  text: string;
  remarks: readonly Remark[];
  /** The line to scroll to; 0 for none. */
  shown: number;
  /** Names for completing references; undefined until they are loaded. */
  names: ScenarioNames | undefined;
  label?: string;
  write: (text: string) => void;
}

/** The text editor of a scenario. Tab leaves it, like any other field. */
export function CodeEditor(props: CodeEditorProps) {
  const { text, remarks, shown, names, label = "Text of the scenario", write } = props;
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const writes = useRef(write);
  writes.current = write;
  const named = useRef(names);
  named.current = names;
  useEffect(() => {
    const parent = place.current;
    if (parent === null) return;
    const made = new EditorView({
      parent,
      extensions: [
        ...[lineNumbers(), history(), drawSelection(), highlightActiveLine()],
        ...[highlightActiveLineGutter(), lintGutter(), yaml(), EditorView.lineWrapping],
        // Invisible characters, and those that change the text direction, are drawn as signs.
        highlightSpecialChars(),
        // The page handles dropped files; otherwise their text would be inserted here.
        EditorView.domEventHandlers({ drop: isOfFiles, dragover: isOfFiles }),
        autocompletion({ override: [(context) => complete(context, named.current)] }),
        keymap.of([...defaultKeymap, ...historyKeymap, ...completionKeymap, ...lintKeymap]),
        syntaxHighlighting(HIGHLIGHT),
        THEME,
        EditorState.allowMultipleSelections.of(false),
        // A scrolling region must be reachable by keyboard.
        EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
        EditorView.updateListener.of(({ docChanged, state, transactions }) => {
          if (docChanged && !transactions.some((one) => one.annotation(input)))
            writes.current(state.doc.toString());
        }),
      ],
    });
    view.current = made;
    return () => made.destroy();
  }, [label]);
  useEffect(() => {
    const at = view.current;
    if (at !== undefined) replace(at, text);
  }, [text]);
  useEffect(() => {
    const at = view.current;
    if (at === undefined) return;
    at.dispatch(
      setDiagnostics(
        at.state,
        remarks.map((remark) => diagnostic(at, remark)),
      ),
    );
  }, [remarks]);
  useEffect(() => {
    const at = view.current;
    if (at === undefined || shown < 1 || shown > at.state.doc.lines) return;
    const { from } = at.state.doc.line(shown);
    at.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from) });
  }, [shown]);
  return <div ref={place} className={css.code} />;
}

const isOfFiles = ({ dataTransfer }: DragEvent): boolean =>
  dataTransfer?.types.includes("Files") ?? false;

/** Marks external changes: by the time they are shown, the user may have typed more. */
const input = Annotation.define<true>();

/** Replaces only the difference, which preserves cursor and undo history. */
function replace(view: EditorView, text: string): void {
  const before = view.state.doc.toString();
  if (before === text) return;
  let from = 0;
  while (from < before.length && before[from] === text[from]) from += 1;
  let end = before.length;
  let insertEnd = text.length;
  while (end > from && insertEnd > from && before[end - 1] === text[insertEnd - 1]) {
    end -= 1;
    insertEnd -= 1;
  }
  view.dispatch({
    changes: { from, to: end, insert: text.slice(from, insertEnd) },
    annotations: input.of(true),
  });
}

function diagnostic({ state }: EditorView, { line, message }: Remark): Diagnostic {
  const { from, to, text } = state.doc.line(Math.min(Math.max(line, 1), state.doc.lines));
  const start = from + (text.length - text.trimStart().length);
  return { from: Math.min(start, to), to, severity: "error", message };
}

const HIGHLIGHT = HighlightStyle.define([
  {
    tag: [tags.propertyName, tags.definition(tags.propertyName)],
    color: "var(--bin-0)",
    fontWeight: "600",
  },
  { tag: tags.comment, color: "var(--faint)", fontStyle: "italic" },
  { tag: [tags.string, tags.content], color: "var(--ink)" },
  { tag: [tags.punctuation, tags.separator], color: "var(--soft)" },
]);

const THEME = EditorView.theme({
  "&": {
    height: "100%",
    color: "var(--ink)",
    backgroundColor: "var(--surface)",
    fontSize: "var(--text-small)",
  },
  ".cm-content, .cm-gutters": { fontFamily: "var(--mono)", lineHeight: "1.6" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": {
    backgroundColor: "var(--surface)",
    color: "var(--faint)",
    borderRight: "1px solid var(--line)",
  },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--hover)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground, ::selection": {
    backgroundColor: "var(--accent-wash)",
  },
  ".cm-tooltip": {
    backgroundColor: "var(--surface)",
    color: "var(--ink)",
    border: "1px solid var(--line-strong)",
    borderRadius: "6px",
  },
  ".cm-tooltip-autocomplete ul li[aria-selected]": {
    backgroundColor: "var(--accent)",
    color: "var(--accent-ink)",
  },
  ".cm-completionInfo": { maxWidth: "320px" },
  // The library's own pictures are not files of the page.
  ".cm-lint-marker-error": { content: "normal", color: "var(--bad)", textAlign: "center" },
  ".cm-lint-marker-error::before": { content: '"✕"' },
  ".cm-lintRange-error": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--bad)",
  },
  ".cm-diagnostic-error": { borderLeftColor: "var(--bad)" },
});
