/** A zone without clock changes where it is between ten and eleven in the morning. Zones lie from 12 hours behind UTC to 14 ahead of it. */
export function zoneInTheMorning(nowMs: number): string {
  const hours = 10 - new Date(nowMs).getUTCHours();
  const hoursAhead = hours < -12 ? hours + 24 : hours;
  return `Etc/GMT${hoursAhead > 0 ? '-' : '+'}${Math.abs(hoursAhead)}`;
}
