/**
 * A packed tree of boxes over edges that are numbered along a Hilbert curve: box i of the lowest level holds edges 8 i to 8 i + 7, a box of
 * the next level eight of these, and so on up to one. I. Kamel and C. Faloutsos, "On packing R-trees" (1993). West, south, east and
 * north of each box in turn, the levels one after the other, the lowest first.
 */
export const EDGES_PER_BOX = 8;

/** How many boxes each level has. */
export function boxLevels(edgeCount: number): number[] {
  const levels: number[] = [];
  for (let count = Math.ceil(edgeCount / EDGES_PER_BOX); count > 0; count = count === 1 ? 0 : Math.ceil(count / EDGES_PER_BOX)) levels.push(count);
  return levels;
}

export function fillBoxes(boxes: Int32Array, { firstPoint, points }: { firstPoint: Int32Array; points: Int32Array }): void {
  const edgeCount = firstPoint.length - 1;
  boxes.fill(0x7fffffff);
  for (let i = 0; i < boxes.length; i += 4) boxes[i + 2] = boxes[i + 3] = -0x80000000;
  for (let edge = 0; edge < edgeCount; edge++) {
    const box = 4 * Math.floor(edge / EDGES_PER_BOX);
    for (let i = 2 * firstPoint[edge]; i < 2 * firstPoint[edge + 1]; i += 2) extend(boxes, box, points[i], points[i + 1], points[i], points[i + 1]);
  }
  let start = 0;
  for (const count of boxLevels(edgeCount).slice(0, -1)) {
    for (let i = 0; i < count; i++) {
      const child = 4 * (start + i);
      extend(boxes, 4 * (start + count + Math.floor(i / EDGES_PER_BOX)), boxes[child], boxes[child + 1], boxes[child + 2], boxes[child + 3]);
    }
    start += count;
  }
}

function extend(boxes: Int32Array, box: number, west: number, south: number, east: number, north: number): void {
  boxes[box] = Math.min(boxes[box], west);
  boxes[box + 1] = Math.min(boxes[box + 1], south);
  boxes[box + 2] = Math.max(boxes[box + 2], east);
  boxes[box + 3] = Math.max(boxes[box + 3], north);
}
