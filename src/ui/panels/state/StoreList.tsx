import type { Stores } from "../../store/types.ts";
import { count } from "../../widgets/format.ts";
import css from "./StoreList.module.css";

interface StoreListProps {
  stores: Stores["stores"];
  chosen: string;
  onChoose: (store: string) => void;
}

/** The stores of the state with their number of keys. */
export function StoreList({ stores, chosen, onChoose }: StoreListProps) {
  return (
    <nav className={`card ${css.stores}`} aria-label="Stores">
      <h2>Stores</h2>
      <ul>
        {stores.map(({ name, keys, root }) => (
          <li key={name}>
            <button
              type="button"
              data-plain=""
              aria-pressed={name === chosen}
              title={`root ${root}`}
              onClick={() => onChoose(name)}
            >
              {name} <span className="soft">{count(keys)}</span>
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}
