interface Arcs {
  head: Int32Array;
  turnMilliseconds: Uint16Array;
}

/** Sorts the arcs from `first` up to, not including, `end` by head: a few of them, nearly in order, so by insertion. */
export function sortArcs({ head, turnMilliseconds }: Arcs, first: number, end: number): void {
  for (let i = first + 1; i < end; i++) {
    const movedHead = head[i];
    if (head[i - 1] < movedHead) continue;
    const movedTurn = turnMilliseconds[i];
    let j = i - 1;
    for (; j >= first && head[j] > movedHead; j--) {
      head[j + 1] = head[j];
      turnMilliseconds[j + 1] = turnMilliseconds[j];
    }
    head[j + 1] = movedHead;
    turnMilliseconds[j + 1] = movedTurn;
  }
}
