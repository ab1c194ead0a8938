import { NONE } from '../../core/solver/problem.ts';
import type { Problem } from '../../core/solver/problem.ts';

/**
 * Reads an instance in Solomon's format under the DIMACS convention: distances are cut to tenths and everything is counted in
 * tenths. Windows in these files bind the start of service, ours the whole of it, so the due time grows by the service time; and
 * ours last at least a second, so customers without service get one tenth less travel to everywhere: none of the files has such.
 */
export function readSolomon(text: string): { name: string; problem: Problem } {
  const lines = text.split('\n').map((line) => line.trim()).filter((line) => line !== '');
  const rows = lines.map((line) => line.split(/\s+/).map(Number)).filter((row) => row.every(Number.isFinite));
  const [[fleet, capacity], ...nodes] = rows;
  const size = nodes.length;
  const distances = new Int32Array(size * size);
  nodes.forEach(([, x1, y1], from) => nodes.forEach(([, x2, y2], to) => {
    distances[from * size + to] = Math.floor(10 * Math.hypot(x1 - x2, y1 - y2) + 1e-9);
  }));
  const depot = nodes[0];
  const customers = nodes.slice(1);
  if (customers.some(([, , , , , , service]) => service < 0.1)) throw new Error('a customer without service');
  return {
    name: lines[0],
    problem: {
      matrices: [{ size, seconds: distances, metres: distances }],
      tasks: customers.map(([, , , demand, ready, due, service], i) => ({
        kind: 'task', place: i + 1, duration: 10 * service, windowStart: 10 * ready, windowEnd: 10 * (due + service),
        shifts: null, mandatory: false, pinned: false, handoverTo: NONE, demand,
      })),
      shifts: Array.from({ length: fleet }, (_, vehicle) => ({
        vehicle, driver: NONE, startPlace: 0, endPlace: 0, warehouse: 0,
        intervals: [{ start: 10 * depot[4], end: 10 * depot[5] }], gap: 'return_to_warehouse', sequence: [], capacity,
      })),
      fixedSpans: [], restSeconds: 0, objective: 'most_served', metric: 'seconds',
    },
  };
}
