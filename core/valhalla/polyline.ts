/** An encoded polyline with six decimals, as Valhalla writes shapes, to [longitude, latitude] pairs. */
export function decodePolyline(encoded: string): [longitude: number, latitude: number][] {
  const points: [number, number][] = [];
  let at = 0;
  let latitude = 0;
  let longitude = 0;
  const difference = (): number => {
    let bits = 0;
    for (let shift = 0; ; shift += 5) {
      const chunk = encoded.charCodeAt(at++) - 63;
      if (!(chunk >= 0)) throw new RangeError('the polyline ends within a number');
      bits |= (chunk & 0x1f) << shift;
      if (chunk < 0x20) return (bits & 1) === 1 ? ~(bits >>> 1) : bits >>> 1;
    }
  };
  while (at < encoded.length) {
    latitude += difference();
    longitude += difference();
    points.push([longitude / 1e6, latitude / 1e6]);
  }
  return points;
}
