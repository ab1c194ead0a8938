import { gzipSync } from 'node:zlib';
import type { Dice } from './dice.ts';

interface Sent {
  body: Buffer;
  headers: Record<string, string>;
}

type Spoiling = (text: string, dice: Dice) => Partial<Sent>;

const as = (text: string): Partial<Sent> => ({ body: Buffer.from(text) });

/** What is wrong with the text of a body, or with what is said about it. */
export const bodySpoilings: [number, string, Spoiling][] = [
  [3, 'cut short', (text, dice) => as(text.slice(0, dice.int(0, text.length)))],
  [2, 'trailing text', (text, dice) => as(text + dice.pick([',', '}', ' x', '\u0000', text]))],
  [2, 'not quite JSON', (text, dice) => as(dice.pick([text.replaceAll('"', "'"), `${text}//`, text.replace('}', ',}'), text.replace(/\d+/, '01'), text.replace(/\d+/, 'NaN'), text.replace(/\d+/, '1e400'), text.replace(/\d+/, '-1e400'), text.replace(/:/, ':undefined')]))],
  [2, 'duplicate keys', (text, dice) => as(text.replace('{', `{${dice.pick(['"id":"first",', '"__proto__":{"x":1},', '"name":null,', '"name":"a","name":"b",', '"constructor":{"prototype":{}},', '"bytes":[1],', '"revision":1,"revision":2,'])}`))],
  [1, 'escapes', (text, dice) => as(text.replace(/"(\w)/, `"${dice.pick(['\\u0000', '\\ud800', '\\uD83D\\uDE00', '\\/', '\\q', '\\u12', '\\b'])}$1`))],
  [1, 'another top', (_text, dice) => as(dice.pick(['[]', 'null', '7', '"text"', 'true', '', ' ', '\n', '\ufeff{}', '-', '[[]]', '{"":{}}', `${'['.repeat(50_000)}${']'.repeat(50_000)}`, '['.repeat(90_000)]))],
  [1, 'not UTF-8', (text, dice) => ({ body: Buffer.concat([Buffer.from(text.slice(0, -1)), Buffer.from(dice.pick(['ff', 'c3', 'eda080', 'f5808080', 'fffe']), 'hex')]) })],
  [1, 'UTF-16', (text) => ({ body: Buffer.from(text, 'utf16le'), headers: { 'content-type': 'application/json; charset=utf-16' } })],
  [1, 'gzip', (text, dice) => ({ body: gzipSync(text), headers: dice.chance(0.8) ? { 'content-encoding': dice.pick(['gzip', 'br', 'deflate', 'gzip, identity']) } : {} })],
  [2, 'another type', (text, dice) => ({ ...as(text), headers: { 'content-type': dice.pick(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/jsonx', 'application/merge-patch+json', 'APPLICATION/JSON', 'application/json;charset=latin1', 'json', '', ';', 'text/json, application/json']) } })],
  [0.1, 'too large', (text) => as(`${' '.repeat(1_100_000)}${text}`)],
];
