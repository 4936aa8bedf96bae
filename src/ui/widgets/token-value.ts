/** A token with two colours stays unresolved until it is applied to an element. */
const probe = document.createElement("span");
probe.hidden = true;
probe.style.setProperty("forced-color-adjust", "none");

/** Returns the current value of a design token, a colour in the current theme. */
export function tokenValue(token: string): string {
  const value = getComputedStyle(document.documentElement).getPropertyValue(`--${token}`).trim();
  if (!CSS.supports("color", value)) return value;
  if (!probe.isConnected) document.body.append(probe);
  probe.style.color = value;
  return getComputedStyle(probe).color;
}
