/** The W3C WebDriver protocol, as far as the tests need it (https://www.w3.org/TR/webdriver2/). */

/** A session of a driver: one browser. */
export class WebDriverSession {
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly #address: string;

  private constructor(address: string, capabilities: Readonly<Record<string, unknown>>) {
    this.#address = address;
    this.capabilities = capabilities;
  }

  /** Starts a browser. @param driver The driver's address. */
  static async open(driver: string, wanted: object): Promise<WebDriverSession> {
    const answer = await request('POST', `${driver}/session`, {
      capabilities: { alwaysMatch: wanted },
    });
    const { sessionId, capabilities } = answer as {
      sessionId: string;
      capabilities: Record<string, unknown>;
    };
    return new WebDriverSession(`${driver}/session/${sessionId}`, capabilities);
  }

  /** @throws {Error} with the driver's own words if it refuses. */
  post(command: string, body: object = {}): Promise<unknown> {
    return request('POST', `${this.#address}/${command}`, body);
  }

  /**
   * Performs the actions of input sources, all at the same time; keys and buttons stay as they are
   * until the next call.
   */
  async act(sources: readonly object[]): Promise<void> {
    await this.post('actions', { actions: sources });
  }

  /** Ends the browser. */
  async close(): Promise<void> {
    await request('DELETE', this.#address);
  }
}

async function request(method: string, address: string, body?: object): Promise<unknown> {
  const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
  const response = await fetch(address, init);
  const { value } = (await response.json()) as { value: unknown };
  if (response.ok) return value;
  const { error, message } = value as { error: string; message: string };
  throw new Error(`WebDriver: ${error}: ${message}`);
}
