import { useId } from "react";
import { goTo, useRoute } from "../../store/route.ts";
import { chooseTheme, THEME_NAMES, THEMES, useTheme } from "../../store/theme.ts";
import { Icon } from "../../widgets/Icon.tsx";
import css from "./Display.module.css";

/** Appearance of the page: its theme, and the presenter. */
export function Display() {
  const id = useId();
  const theme = useTheme();
  const { presenting } = useRoute();
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what it contains has the focus
    <div
      onKeyDown={(event) => {
        // Escape closes only this menu.
        if (event.key === "Escape" && document.getElementById(id)?.matches(":popover-open"))
          event.stopPropagation();
      }}
    >
      <button
        type="button"
        data-plain=""
        className={css.open}
        popoverTarget={id}
        aria-label="Theme and presenter"
        title="Theme (T) and presenter (P)"
      >
        <Icon name="half" size={18} />
      </button>
      <div id={id} popover="auto" className={css.menu}>
        <fieldset>
          <legend>Theme</legend>
          {THEMES.map((each) => (
            <label key={each}>
              <input
                type="radio"
                name={id}
                checked={each === theme}
                onChange={() => chooseTheme(each)}
              />
              {THEME_NAMES[each]}
            </label>
          ))}
        </fieldset>
        {!presenting && (
          <button type="button" onClick={() => goTo({ presenting: true })}>
            Present <kbd>P</kbd>
          </button>
        )}
      </div>
    </div>
  );
}
