/** Settings as the query of an address, and back. Pure: reads no address and no page. */
import type { Parameter, Parameters } from './parameters.js';

/** A parameter that was not accepted unchanged, as a sentence for the reader of the page. */
export interface SettingProblem {
  /** The parameter's name, or their names if it is about several. */
  readonly parameter: string;
  readonly message: string;
}

/**
 * Reads the parameters of an address, and keeps a problem for each that was invalid and was
 * replaced.
 */
export class AddressReader {
  readonly problems: SettingProblem[] = [];
  readonly #query: URLSearchParams;

  /** @param search The query of an address, as in `location.search`. */
  constructor(search: string) {
    this.#query = new URLSearchParams(search);
  }

  /** The parameter's text in the address; null for a missing parameter. */
  textOf(name: string): string | null {
    return this.#query.get(name);
  }

  /** The names of all its parameters, each once. */
  get names(): readonly string[] {
    return [...new Set(this.#query.keys())];
  }

  /** @param initial The defaults, which the address can omit. */
  read<T>(name: string, parameter: Parameter<T>, initial: T): T {
    const text = this.textOf(name);
    if (text === null) return initial;
    const value = parameter.parse(text.trim());
    if (value !== undefined) return value;
    const used = parameter.nearest?.(text.trim()) ?? initial;
    const instead = used === undefined ? 'the default' : parameter.format(used);
    this.problems.push({
      parameter: name,
      message: `${name}=${text} is invalid: ${name} must be ${parameter.rule}. Using ${instead}.`,
    });
    return used;
  }

  /** All settings that have parameters. */
  readAll<Settings extends object>(parameters: Parameters<Settings>, initial: Settings): Settings {
    const names = Object.keys(parameters) as (keyof Settings & string)[];
    const entries = names.map((name) => [name, this.read(name, parameters[name], initial[name])]);
    return Object.fromEntries(entries) as Settings;
  }
}

/** The settings that differ from the initial ones, each as its parameter writes it. */
export function changedTexts<Settings extends object>(
  parameters: Parameters<Settings>,
  settings: Settings,
  initial: Settings,
): readonly (readonly [name: string, text: string])[] {
  const names = Object.keys(parameters) as (keyof Settings & string)[];
  return names.flatMap((name) => {
    const { format } = parameters[name];
    if (settings[name] === undefined) return [];
    const text = format(settings[name]);
    const isInitial = initial[name] !== undefined && text === format(initial[name]);
    return isInitial ? [] : [[name, text] as const];
  });
}

/** @returns For example `?scene=heap&tickHz=30`; an empty text without parameters. */
export function queryOf(texts: readonly (readonly [name: string, text: string])[]): string {
  // Colons and commas are allowed in a query without escapes, which keeps the address readable.
  const query = texts.map(([name, text]) => `${name}=${encodeURIComponent(text)}`).join('&');
  return query === '' ? '' : `?${query.replaceAll('%3A', ':').replaceAll('%2C', ',')}`;
}
