/** Thrown where a world is asked that stands at another height: the answer is that of the world as it was there. */
export class HeightNeeded extends Error {
  readonly height: number;

  constructor(height: number) {
    super(`it is asked of the world as it was at height ${height}`);
    this.name = "HeightNeeded";
    this.height = height;
  }
}
