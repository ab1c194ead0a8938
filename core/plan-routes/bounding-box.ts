/** Of what has been held so far, as RFC 7946 wants it: west, south, east, north. */
export class BoundingBox {
  private south = Infinity;
  private north = -Infinity;
  private west = Infinity;
  private east = -Infinity;
  /** The same with the western hemisphere put behind the eastern one. */
  private westOver = Infinity;
  private eastOver = -Infinity;

  hold(positions: readonly (readonly [longitude: number, latitude: number])[]): void {
    for (const [longitude, latitude] of positions) {
      this.south = Math.min(this.south, latitude);
      this.north = Math.max(this.north, latitude);
      this.west = Math.min(this.west, longitude);
      this.east = Math.max(this.east, longitude);
      const over = longitude < 0 ? longitude + 360 : longitude;
      this.westOver = Math.min(this.westOver, over);
      this.eastOver = Math.max(this.eastOver, over);
    }
  }

  /** Nothing where nothing was held. Over the antimeridian where that makes it smaller: west is greater than east then. */
  member(): { bbox?: [west: number, south: number, east: number, north: number] } {
    if (this.south > this.north) return {};
    const isOver = this.eastOver - this.westOver < this.east - this.west && this.eastOver > 180;
    return { bbox: isOver ? [this.westOver, this.south, this.eastOver - 360, this.north] : [this.west, this.south, this.east, this.north] };
  }
}
