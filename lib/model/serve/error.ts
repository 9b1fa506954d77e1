/** An answer that is an error, in OpenAI's shape. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    /** The request's field that is at fault; null when none is. */
    readonly param: string | null = null,
    readonly code: string | null = null,
  ) {
    super(message);
    this.name = "ApiError";
  }

  get body() {
    const type = this.status < 500 ? "invalid_request_error" : "server_error";
    return { error: { message: this.message, type, param: this.param, code: this.code } };
  }
}
